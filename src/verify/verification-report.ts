// Reports out of findings: states in the order of the records, and look-ups by exact bytes. Candidates are read only
// when somebody asks for one, since most readers of a large report never do.

import { acceptCandidate } from "../core/entry.ts";
import type { Candidate, Rejection, SignatureResult } from "../core/entry.ts";
import type { Result } from "../core/result.ts";
import type { Steps } from "../core/steps.ts";
import type { Hash } from "../core/values.ts";
import type { Level } from "../core/view.ts";
import type { BadSignature, Finding } from "./findings.ts";
import { ParsedRecords } from "./parsed-records.ts";
import type { Place, RecordState, Report } from "./verifier.ts";

/** A finding that is final at its level. */
export type Settled =
  Exclude<Finding, { state: "parsed" }> | (Extract<Finding, { state: "parsed" }> & { covered: true });

/** Records looked at in one step. */
const STEP = 1024;

/**
 * A report on `records`, whose distinct texts have the findings `settled` (by exact text).
 * A text that is not in it is unchecked.
 */
export function* reportSteps(
  level: Level,
  records: readonly string[],
  settled: ReadonlyMap<string, Settled>,
  parsed = new ParsedRecords(),
): Steps<Report> {
  const counts = { verified: 0, covered: 0, rejected: 0, unchecked: 0 };
  const known = new Map<string, RecordState>();
  const states: RecordState[] = [];
  for (const wire of records) {
    let state = known.get(wire);
    if (state === undefined) known.set(wire, (state = stateOf(wire, settled.get(wire), parsed)));
    counts[state.state]++;
    states.push(state);
    if (states.length % STEP === 0) yield;
  }
  return {
    level,
    states,
    counts,
    check: (candidate) => resultOf(settled.get(candidate.wire)),
    parsed: (wire) => parsedAs(parsed, wire, settled.get(wire)),
  };
}

function stateOf(wire: string, finding: Settled | undefined, parsed: ParsedRecords): RecordState {
  if (finding === undefined) return { state: "unchecked", why: NOT_IN_REPORT };
  switch (finding.state) {
    case "verified":
      return new Passed("verified", wire, finding.place, parsed);
    case "parsed":
      return new Passed("covered", wire, finding.place, parsed);
    case "forged":
      return new Forged(wire, finding.place.hash, finding.result, parsed);
    default:
      return finding;
  }
}

const NOT_IN_REPORT = "not among the records of this report";

class Passed<S extends "verified" | "covered"> {
  readonly state: S;
  readonly place: Place;
  readonly #wire: string;
  readonly #parsed: ParsedRecords;
  constructor(state: S, wire: string, place: Place, parsed: ParsedRecords) {
    this.state = state;
    this.place = place;
    this.#wire = wire;
    this.#parsed = parsed;
  }
  get candidate(): Candidate {
    return this.#parsed.revive(this.#wire, this.place.hash);
  }
}

class Forged {
  readonly state = "rejected";
  readonly #wire: string;
  readonly #hash: Hash;
  readonly #result: BadSignature;
  readonly #parsed: ParsedRecords;
  constructor(wire: string, hash: Hash, result: BadSignature, parsed: ParsedRecords) {
    this.#wire = wire;
    this.#hash = hash;
    this.#result = result;
    this.#parsed = parsed;
  }
  get candidate(): Candidate {
    return this.#parsed.revive(this.#wire, this.#hash);
  }
  get rejection(): Rejection {
    const accepted = acceptCandidate(this.candidate, () => this.#result);
    if (!accepted.ok && accepted.error.code !== "unchecked") return accepted.error;
    throw new Error("a signature that was refused is refused again");
  }
}

function parsedAs(
  parsed: ParsedRecords,
  wire: string,
  finding: Settled | undefined,
): Result<Candidate, Rejection> | undefined {
  if (finding === undefined || finding.state === "unchecked") return undefined;
  if (finding.state === "rejected") return { ok: false, error: finding.rejection };
  return { ok: true, value: parsed.revive(wire, finding.place.hash) };
}

function resultOf(finding: Settled | undefined): SignatureResult {
  if (finding === undefined) return { ok: false, code: "unchecked", why: NOT_IN_REPORT };
  switch (finding.state) {
    case "verified":
      return { ok: true, by: "signature" };
    case "parsed":
      return { ok: true, by: "chain" };
    case "forged":
      return finding.result;
    case "rejected":
      return { ok: false, code: "unchecked", why: `refused before its signature: ${finding.rejection.code}` };
    case "unchecked":
      return { ok: false, code: "unchecked", why: finding.why };
  }
}
