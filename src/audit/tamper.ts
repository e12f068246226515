// Try to cheat: a change to a copy of the records, and which checks catch it. The copy is audited like any other.

import { own, parseJson, isObject } from "../core/canonical.ts";
import type { Hash } from "../core/values.ts";
import type { AuditStage } from "./audit-records.ts";
import { checkRecord } from "./record-checks.ts";
import { checkSession } from "./session-checks.ts";

export type Tamper =
  /** Changes the character at that position of a record. */
  | { readonly kind: "byte"; readonly record: number; readonly at: number }
  | { readonly kind: "drop"; readonly record: number }
  /** Exchanges the places of two entries in a log. */
  | { readonly kind: "swap"; readonly record: number; readonly other: number }
  /** Hands all records over in the opposite order. */
  | { readonly kind: "reorder" };

export type TamperKind = Tamper["kind"];

/** The changed copy; what does not exist changes nothing. */
export function tamperRecords(records: readonly string[], tamper: Tamper): readonly string[] {
  switch (tamper.kind) {
    case "byte":
      return records.map((wire, i) => (i === tamper.record ? flipAt(wire, tamper.at) : wire));
    case "drop":
      return records.filter((_, i) => i !== tamper.record);
    case "swap": {
      const [a, b] = [records[tamper.record], records[tamper.other]];
      if (a === undefined || b === undefined) return records;
      const swapped = new Map([
        [tamper.record, withSeq(a, seqOf(b))],
        [tamper.other, withSeq(b, seqOf(a))],
      ]);
      return records.map((wire, i) => swapped.get(i) ?? wire);
    }
    case "reorder":
      return records.toReversed();
  }
}

/** Another character of the same kind, so that the text stays readable. */
function flipAt(wire: string, at: number): string {
  const old = wire[at];
  if (old === undefined) return wire;
  const next = /[0-8a-eA-Yg-y]/.test(old)
    ? String.fromCharCode(old.charCodeAt(0) + 1)
    : old === "9"
      ? "0"
      : "a";
  return wire.slice(0, at) + next + wire.slice(at + 1);
}

function seqOf(wire: string): number | null {
  const value = parseJson(wire);
  const seq = isObject(value) ? own(value, "seq") : undefined;
  return typeof seq === "number" ? seq : null;
}

function withSeq(wire: string, seq: number | null): string {
  return seq === null ? wire : wire.replace(/"seq":\d+,"sig"/, `"seq":${seq},"sig"`);
}

/** Where a change is most telling: within the value that a record opens, else in its body. */
export function tellingPosition(wire: string): number {
  for (const member of ['"value":"', '"choice":"', '"amount":"', '"commitment":"0x', '"body":{"'])
    if (wire.includes(member)) return wire.indexOf(member) + member.length;
  return Math.floor(wire.length / 2);
}

/** A check that a change did not pass. */
export interface Caught {
  readonly check: string;
  readonly state: "failed" | "unchecked";
  readonly expected: string;
  readonly found: string;
}

/** What the audit of the changed copy says that the audit before did not. `pinned`: the digest that a link would hold. */
export function caughtBy(before: AuditStage, after: AuditStage, pinned: Hash | undefined): readonly Caught[] {
  const known = new Set(before.view.rejected.map(({ hash }) => hash));
  const records = after.view.rejected
    .filter(({ hash }) => !known.has(hash))
    .flatMap(({ wire }) =>
      checkRecord(wire, after.report.check)
        .filter(({ state }) => state === "failed")
        .slice(0, 1),
    );
  const passedBefore = new Map(
    checkSession(before.view, before.verdict, pinned).map(({ name, state, at }) => [`${name} ${at}`, state]),
  );
  const session = checkSession(after.view, after.verdict, pinned).filter(
    ({ name, state, at }) =>
      (state === "failed" || state === "unchecked") && passedBefore.get(`${name} ${at}`) !== state,
  );
  return [...records, ...session].map(({ name, state, expected, found }) => ({
    check: name,
    state: state === "failed" ? "failed" : "unchecked",
    expected,
    found,
  }));
}
