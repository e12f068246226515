// Named checks: state by icon and word, what was expected and what was found.

import { Icon, type IconName } from "../components/icon.tsx";
import { InertText } from "../components/inert-text.tsx";
import type { CheckState, NamedCheck } from "../../audit/record-checks.ts";
import css from "./check-list.module.css";

const ICONS: { readonly [state in CheckState]: IconName } = {
  passed: "check",
  failed: "cross",
  unchecked: "clock",
  "not-applicable": "dash",
};

const WORDS: { readonly [state in CheckState]: string } = {
  passed: "passed",
  failed: "failed",
  unchecked: "not checked",
  "not-applicable": "does not apply",
};

export function CheckList({ checks, label }: { checks: readonly NamedCheck[]; label: string }) {
  return (
    <ul className={css.list} aria-label={label}>
      {checks.map((check, i) => (
        <Check key={`${check.name}${i}`} check={check} />
      ))}
    </ul>
  );
}

function Check({ check: { name, state, expected, found, at } }: { check: NamedCheck }) {
  return (
    <li className={css.check} data-check={name} data-state={state}>
      <details open={state === "failed"}>
        <summary>
          <span className={css[state]}>
            <Icon name={ICONS[state]} size={14} />
          </span>
          <span className={css.name}>{name}</span>
          <span className={css.state}>{WORDS[state]}</span>
        </summary>
        <dl>
          {expected !== "" && (
            <>
              <dt>expected</dt>
              <dd>
                <InertText text={expected} />
              </dd>
            </>
          )}
          <dt>found</dt>
          <dd>
            <InertText text={found} />
          </dd>
          {at !== "$" && (
            <>
              <dt>at</dt>
              <dd className="mono">
                <InertText text={at} />
              </dd>
            </>
          )}
        </dl>
      </details>
    </li>
  );
}
