// Named checks of one record, in the order of the rules: what the inspector and the command line show. A check that did
// not run is `unchecked`, never passed; one that has no meaning for the record is `not-applicable`.

import { parseCandidate, type Candidate, type CheckSignature, type Rejection } from "../core/entry.ts";
import { MAX_ENTRY_BYTES, MAX_RECORD_BYTES } from "../core/entry.ts";
import { utf8Length } from "../core/bytes.ts";
import { formatRef, parseRef } from "../core/values.ts";
import type { Member, Move, View } from "../core/view.ts";

export const RECORD_CHECKS = [
  "size",
  "JSON",
  "shape",
  "canonical",
  "signature",
  "signer",
  "chain",
  "refs",
  "session",
  "in time",
] as const;
export type RecordCheckName = (typeof RECORD_CHECKS)[number];

export type CheckState = "passed" | "failed" | "unchecked" | "not-applicable";

/** One check: what it expected and found, and where (a path in the entry, a ref or a wallet). */
export interface NamedCheck<Name extends string = string> {
  readonly name: Name;
  readonly state: CheckState;
  readonly expected: string;
  readonly found: string;
  readonly at: string;
}

type Outcome = Omit<NamedCheck, "name">;
type Outcomes = { [Name in RecordCheckName]?: Outcome };

/** The ten checks of a record. Without a view those that need one are unchecked. */
export function checkRecord(
  wire: string,
  check: CheckSignature,
  view?: View,
): readonly NamedCheck<RecordCheckName>[] {
  const parsed = parseCandidate(wire);
  const outcomes = parsed.ok ? candidateOutcomes(parsed.value, check, view) : formFailure(wire, parsed.error);
  return RECORD_CHECKS.map((name) => ({ name, ...(outcomes[name] ?? NOT_RUN) }));
}

const NOT_RUN: Outcome = {
  state: "unchecked",
  expected: "",
  found: "not run: an earlier check did not pass",
  at: "$",
};
const NO_VIEW: Outcome = { ...NOT_RUN, found: "not run: no session at hand" };

/** One sentence for a check, for people. */
export function describeCheck({ name, state, expected, found, at }: NamedCheck): string {
  const where = at === "$" ? "" : ` at ${at}`;
  const wanted = expected === "" ? "" : `expected ${expected}, `;
  switch (state) {
    case "passed":
      return `${name}: passed${where} (${found})`;
    case "failed":
      return `${name}: failed${where}: ${wanted}found ${found}`;
    case "unchecked":
      return `${name}: not checked${where}: ${found}`;
    case "not-applicable":
      return `${name}: does not apply: ${found}`;
  }
}

export function passed(expected: string, found: string, at = "$"): Outcome {
  return { state: "passed", expected, found, at };
}
export function failed(expected: string, found: string, at = "$"): Outcome {
  return { state: "failed", expected, found, at };
}
export function unchecked(expected: string, found: string, at = "$"): Outcome {
  return { state: "unchecked", expected, found, at };
}
export function notApplicable(found: string, at = "$"): Outcome {
  return { state: "not-applicable", expected: "", found, at };
}

/** Before the signature the first failure ends the checks; which have run follows from the order of the rules. */
function formFailure(wire: string, { code, at, expected, found }: Rejection): Outcomes {
  const wrong = failed(expected, found, at);
  const json = passed("a JSON text", "a JSON text");
  const size = sizeSoFar(wire);
  switch (code) {
    case "too-large":
      return utf8Length(wire) > MAX_RECORD_BYTES ? { size: wrong } : { size: wrong, JSON: json };
    case "not-json":
      return { size, JSON: wrong };
    case "bad-refs":
      return { size, JSON: json, refs: wrong };
    case "not-canonical":
      return { size: sizePassed(wire), JSON: json, shape: SHAPE, canonical: wrong };
    default:
      return { size, JSON: json, shape: wrong };
  }
}

const SHAPE = passed("the fields of an entry, each of its form", "so");

/** Until the type is known only the smaller limit says that the size is right. */
function sizeSoFar(wire: string): Outcome {
  const size = utf8Length(wire);
  if (size <= MAX_ENTRY_BYTES) return sizePassed(wire);
  return unchecked(
    `at most ${MAX_ENTRY_BYTES} bytes, evidence ${MAX_RECORD_BYTES}`,
    `${size} bytes of unknown type`,
  );
}

function sizePassed(wire: string): Outcome {
  return passed(
    `at most ${MAX_ENTRY_BYTES} bytes, evidence ${MAX_RECORD_BYTES}`,
    `${utf8Length(wire)} bytes`,
  );
}

function candidateOutcomes(candidate: Candidate, check: CheckSignature, view: View | undefined): Outcomes {
  const outcomes: Outcomes = {
    size: sizePassed(candidate.wire),
    JSON: passed("a JSON text", "a JSON text"),
    shape: SHAPE,
    canonical: passed("the canonical form (RFC 8785)", "the same bytes"),
  };
  const result = check(candidate);
  const signature = "a recoverable signature, low s, v 27 or 28";
  const signer = `a signature by ${candidate.wallet}`;
  if (!result.ok) {
    switch (result.code) {
      case "bad-signature":
        return { ...outcomes, signature: failed(signature, candidate.sig, "sig") };
      case "wrong-signer":
        return {
          ...outcomes,
          signature: passed(signature, "one that recovers", "sig"),
          signer: failed(signer, `one by ${result.recovered}`, "sig"),
        };
      case "unchecked":
        return { ...outcomes, signature: unchecked(signature, result.why, "sig") };
    }
  }
  const covered = "not by itself: a checked entry of the wallet covers it by its chain";
  return {
    ...outcomes,
    signature:
      result.by === "signature"
        ? passed(signature, "one that recovers", "sig")
        : unchecked(signature, covered, "sig"),
    signer:
      result.by === "signature"
        ? passed(signer, `one by ${candidate.wallet}`, "sig")
        : unchecked(signer, covered, "sig"),
    ...(view === undefined
      ? { chain: NO_VIEW, refs: NO_VIEW, session: NO_VIEW, "in time": NO_VIEW }
      : viewOutcomes(candidate, view)),
  };
}

function viewOutcomes(candidate: Candidate, view: View): Outcomes {
  // The seq first: of a hundred thousand refs few need to be compared.
  const move = view.order.find(({ entry, ref }) => entry.seq === candidate.seq && ref === candidate.ref);
  const member = view.members.find(({ wallet }) => wallet === candidate.wallet);
  const session = sessionOutcome(candidate, view, move, member);
  return {
    chain: chainOutcome(candidate, view, member),
    refs: refsOutcome(candidate, view),
    session,
    "in time": timeOutcome(view, move, session),
  };
}

function chainOutcome(
  { wallet, seq, prev_hash, hash }: Candidate,
  view: View,
  member: Member | undefined,
): Outcome {
  if (prev_hash === null) return passed("no predecessor at seq 0", "none", "prev_hash");
  const expected = `the hash of the wallet's entry ${seq - 1}`;
  if (view.entries.has(formatRef(wallet, seq - 1, prev_hash)))
    return passed(expected, prev_hash, "prev_hash");
  if (member?.anchor.hash === hash && member.anchor.seq === seq)
    return notApplicable("the genesis pins this entry, so its own prev_hash is not checked", "prev_hash");
  for (const other of view.entries.values())
    if (other.seq === seq - 1 && other.wallet === wallet)
      return failed(`${expected}, ${other.hash}`, prev_hash, "prev_hash");
  return unchecked(expected, `entry ${seq - 1} is not among the records`, "prev_hash");
}

function refsOutcome(candidate: Candidate, view: View): Outcome {
  const expected = "refs to entries that are held and, of this session, placed";
  const missing = candidate.refs.findIndex((ref) => !view.entries.has(ref));
  if (missing >= 0) {
    const { wallet, seq, hash } = parseRef(candidate.refs[missing])!;
    return unchecked(expected, `${wallet} entry ${seq} with hash ${hash} is not held`, `refs[${missing}]`);
  }
  const pending = view.pending.find(({ entry }) => entry.ref === candidate.ref);
  const outside = pending?.missing.find((ref) => candidate.refs.includes(ref));
  if (outside !== undefined)
    return failed(
      expected,
      `${outside} is no entry of this session`,
      `refs[${candidate.refs.indexOf(outside)}]`,
    );
  if (pending !== undefined) return unchecked(expected, "what this entry rests on is not placed");
  return passed(expected, `${candidate.refs.length} of ${candidate.refs.length}`, "refs");
}

function sessionOutcome(
  candidate: Candidate,
  view: View,
  move: Move | undefined,
  member: Member | undefined,
): Outcome {
  const expected = `an entry of ${view.session}`;
  if (candidate.ref === view.session) return passed(expected, "its genesis");
  if (move !== undefined) return passed(expected, `entry ${move.place} of its author in the session`);
  if (!candidate.refs.includes(view.session)) return notApplicable("it does not name this session");
  if (["genesis", "invite", "accept"].includes(candidate.type))
    return notApplicable(`a ${candidate.type} is no move of a session`);
  if (member === undefined)
    return failed("an entry by a participant", `one by ${candidate.wallet}`, "wallet");
  if (candidate.seq < member.anchor.seq)
    return failed(`an entry from seq ${member.anchor.seq} on`, `seq ${candidate.seq}`, "seq");
  if (member.fault !== null && candidate.seq >= member.fault.seq)
    return failed("an entry before any fork", `its wallet forked at seq ${member.fault.seq}`, "seq");
  if (member.gap !== null)
    return unchecked(
      expected,
      `its author's log is not complete: ${member.gap.code} at seq ${member.gap.seq}`,
      "seq",
    );
  return unchecked(expected, "it waits for entries that it rests on");
}

function timeOutcome(view: View, move: Move | undefined, session: Outcome): Outcome {
  const expected = `a place up to ${view.share}, its author's share`;
  if (move !== undefined)
    return move.inTime ? passed(expected, `place ${move.place}`) : failed(expected, `place ${move.place}`);
  if (session.state === "passed") return notApplicable("a genesis has no place");
  if (session.state === "not-applicable") return notApplicable("it has no place in this session");
  return unchecked(expected, "it is not placed in this session");
}
