// The body of an entry as inert text: members one a line, nested values in canonical form. Nothing in it is a link.

import { canonicalize, isObject, own, parseJson, type Json, type JsonObject } from "../../core/canonical.ts";
import { InertText } from "../components/inert-text.tsx";
import css from "./entry-panel.module.css";

export function BodyView({ wire, opened }: { wire: string; opened?: JsonObject | undefined }) {
  const value = parseJson(wire);
  const written = isObject(value) ? own(value, "body") : undefined;
  const sealed = opened !== undefined && written !== undefined && textOf(written) !== textOf(opened);
  const body = sealed ? opened : written;
  if (!isObject(body)) return null;
  const members = Object.entries(body);
  return (
    <section>
      <h3>Body{sealed && <span className={css.note}> opened with this session’s key</span>}</h3>
      {members.length === 0 ? (
        <p className="faint">empty</p>
      ) : (
        <div className={css.body} role="group" aria-label="Body" tabIndex={0} data-testid="body">
          <dl>
            {members.map(([name, member]) => (
              <div key={name}>
                <dt className="mono">
                  <InertText text={name} />
                </dt>
                <dd className="mono">
                  <InertText text={typeof member === "string" ? member : textOf(member)} />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </section>
  );
}

function textOf(value: Json): string {
  try {
    return canonicalize(value);
  } catch {
    return "a value without canonical form";
  }
}
