// The very bytes that the checks ran over, their digests, and whom the signature recovers to: computed here and now from
// what is shown, not read from anywhere.

import { useMemo } from "react";
import { utf8Length } from "../../core/bytes.ts";
import { parseCandidate, type CheckSignature } from "../../core/entry.ts";
import { checksumAddress, sha256 } from "../../core/values.ts";
import { Copy } from "../components/copy.tsx";
import { InertText } from "../components/inert-text.tsx";
import css from "./entry-panel.module.css";

export interface ExactBytesProps {
  readonly wire: string;
  readonly nodeKey: string;
  readonly check: CheckSignature;
}

export function ExactBytes({ wire, check }: ExactBytesProps) {
  const facts = useMemo(() => factsOf(wire, check), [wire, check]);
  return (
    <section>
      <h3>
        Exact bytes <span className={css.note}>{utf8Length(wire).toLocaleString("en")} bytes of UTF-8</span>
        <Copy text={wire} label="Copy the exact bytes" />
      </h3>
      <pre className={css.bytes} tabIndex={0} aria-label="Exact bytes">
        <InertText text={wire} />
      </pre>
      <dl className={css.digests}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="mono">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function factsOf(wire: string, check: CheckSignature): readonly (readonly [string, string])[] {
  const ofBytes = ["SHA-256 of the bytes", sha256(wire)] as const;
  const parsed = parseCandidate(wire);
  if (!parsed.ok) return [ofBytes];
  const candidate = parsed.value;
  const result = check(candidate);
  const signer = result.ok
    ? result.by === "signature"
      ? checksumAddress(candidate.wallet)
      : "not recovered: covered by its chain"
    : result.code === "wrong-signer"
      ? checksumAddress(result.recovered)
      : result.code === "unchecked"
        ? `not checked: ${result.why}`
        : "none: the signature recovers no key";
  return [["Entry hash (without the signature)", candidate.hash], ofBytes, ["Signature recovers to", signer]];
}
