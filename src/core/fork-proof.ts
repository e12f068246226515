// Proofs of a fork that stand alone: two entries of one wallet at one seq, different and validly signed. Whoever has
// such a text needs no Hub, no session and no trust in whoever sent it.
// Text form, canonical JSON (RFC 8785): {"a":<entry>,"b":<entry>,"format":"coop-fork/1"}, entries as in their wire form.

import {
  canonicalize,
  isCanonical,
  isDeeper,
  isObject,
  MAX_DEPTH,
  own,
  parseJson,
  sourceAt,
  type Json,
  type JsonObject,
} from "./canonical.ts";
import { acceptCandidate, MAX_RECORD_BYTES, parseCandidate } from "./entry.ts";
import type { CheckSignature, Entry, EntryCode } from "./entry.ts";
import { fail, ok, type Failure, type Result } from "./result.ts";
import { checksumAddress, type Address } from "./values.ts";

export const FORK_FORMAT = "coop-fork/1";
export const FORK_EXTENSION = ".coop-fork.json";

/** Two entries and what else stands around them: longer texts are refused unread. */
const MAX_PROOF_UNITS = 3 * MAX_RECORD_BYTES;

export interface ForkProof {
  readonly wallet: Address;
  readonly seq: number;
  /** The two entries, the lesser hash first. */
  readonly a: Entry;
  readonly b: Entry;
}

export const FORK_CODES = [
  "too-large", // longer than two entries can be
  "not-json", // no JSON text
  "too-deep", // nested deeper than two entries can be
  "unknown-format", // JSON of another kind, or of a later version
  "missing-entry", // a or b is not there
  "not-canonical", // another spelling, so that two readers might see two things
  "bad-entry", // a or b is no valid entry: `entry` says which of its checks failed
  "unchecked", // the signature of a or b could not be checked
  "other-wallet", // two wallets
  "other-seq", // two seqs of the log
  "same-entry", // one entry, once or twice signed
] as const;
export type ForkCode = (typeof FORK_CODES)[number];

/** Why a text proves no fork. */
export interface NoForkProof {
  readonly code: ForkCode;
  /** `$`, or a path that begins with the entry's member: `a.sig`. */
  readonly at: string;
  readonly expected: string;
  readonly found: string;
  readonly entry?: EntryCode;
}

/** The text of the proof that these two records make; the same whichever comes first. Nothing is checked here. */
export function writeForkProof(first: { readonly wire: string }, second: { readonly wire: string }): string {
  const [a, b] = [first, second].sort((x, y) => (x.wire < y.wire ? -1 : 1));
  return `{"a":${a!.wire},"b":${b!.wire},"format":"${FORK_FORMAT}"}`;
}

/**
 * Reads and verifies a proof. Also takes an `evidence` entry, or its body, as it stands in a record. A line break at
 * the end is forgiven, nothing else is. The signatures are checked by `check`; with the plain check nothing else
 * is needed.
 */
export function readForkProof(text: string, check: CheckSignature): Result<ForkProof, NoForkProof> {
  if (text.length > MAX_PROOF_UNITS)
    return refuse("too-large", "$", `at most ${MAX_PROOF_UNITS} characters`, `${text.length}`);
  const line = text.replace(/\r?\n$/, "");
  if (isDeeper(line))
    return refuse("too-deep", "$", `at most ${MAX_DEPTH} levels of brackets`, "more of them, one in another");
  const value = parseJson(line);
  if (value === undefined) return refuse("not-json", "$", "a JSON text", "text that does not parse");
  const holder = holderOf(value);
  if (holder === undefined)
    return refuse("unknown-format", "$", `an object with format ${FORK_FORMAT}`, formatOf(value));
  if (isCanonical(line, value)) return proveFork(holder, check);
  return (
    badNumberIn(line, holder === value ? [] : ["body"]) ??
    refuse("not-canonical", "$", "the canonical form (RFC 8785)", "another spelling")
  );
}

/** A number that no entry may hold makes the whole text another spelling; its own digits say more than that. */
function badNumberIn(line: string, holder: readonly string[]): Failure<NoForkProof> | undefined {
  for (const member of ["a", "b"] as const) {
    const side = parseCandidate(sourceAt(line, [...holder, member]) ?? "");
    if (side.ok) continue;
    const { code, at, expected, found } = side.error;
    if (code === "bad-number" || at === "seq")
      return fail({ code: "bad-entry", at: `${member}.${at}`, expected, found, entry: code });
  }
  return undefined;
}

/** The same for the body of an `evidence` entry that was read already. */
export function proveFork(body: JsonObject, check: CheckSignature): Result<ForkProof, NoForkProof> {
  const a = readSide(body, "a", check);
  if (!a.ok) return a;
  const b = readSide(body, "b", check);
  if (!b.ok) return b;
  return compareSides(a.value, b.value);
}

function compareSides(a: Entry, b: Entry): Result<ForkProof, NoForkProof> {
  if (a.wallet !== b.wallet) return refuse("other-wallet", "b.wallet", a.wallet, b.wallet);
  if (a.seq !== b.seq) return refuse("other-seq", "b.seq", String(a.seq), String(b.seq));
  if (a.hash === b.hash) return refuse("same-entry", "b", `an entry other than ${a.hash}`, "the same entry");
  const [first, second] = a.hash < b.hash ? [a, b] : [b, a];
  return ok({ wallet: a.wallet, seq: a.seq, a: first, b: second });
}

function readSide(body: JsonObject, member: "a" | "b", check: CheckSignature): Result<Entry, NoForkProof> {
  const value = own(body, member);
  if (value === undefined) return refuse("missing-entry", member, "an entry", "nothing");
  const wire = textOf(value);
  if (wire === undefined)
    return refuse("not-canonical", member, "a value with a canonical form", "one that has none");
  const parsed = parseCandidate(wire);
  const accepted = parsed.ok ? acceptCandidate(parsed.value, check) : parsed;
  if (accepted.ok) return accepted;
  const { error } = accepted;
  if (error.code === "unchecked")
    return refuse("unchecked", `${member}.sig`, "a checked signature", error.why);
  const at = error.at === "$" ? member : `${member}.${error.at}`;
  return fail({ code: "bad-entry", at, expected: error.expected, found: error.found, entry: error.code });
}

/** Where a and b stand: in the proof itself, in the body of evidence, or in an entry of that type. */
function holderOf(value: Json): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  if (own(value, "format") === FORK_FORMAT) return value;
  if (own(value, "kind") === "equivocation") return value;
  const body = own(value, "body");
  return own(value, "type") === "evidence" && isObject(body) ? body : undefined;
}

function formatOf(value: Json): string {
  if (!isObject(value)) return Array.isArray(value) ? "a list" : "no object";
  const format = own(value, "format");
  return format === undefined
    ? "an object without a format"
    : `format ${(textOf(format) ?? "?").slice(0, 80)}`;
}

function textOf(value: Json): string | undefined {
  try {
    return canonicalize(value);
  } catch {
    return undefined;
  }
}

function refuse(code: ForkCode, at: string, expected: string, found: string): Failure<NoForkProof> {
  return fail({ code, at, expected, found });
}

const UNUSABLE: readonly ForkCode[] = [
  "too-large",
  "not-json",
  "too-deep",
  "unknown-format",
  "missing-entry",
];

/** Exit code for a command: 0 proven, 1 read and found to prove nothing, 3 nothing that could be a proof. */
export function exitOfFork(result: Result<ForkProof, NoForkProof>): 0 | 1 | 3 {
  if (result.ok) return 0;
  return UNUSABLE.includes(result.error.code) ? 3 : 1;
}

/** The result in a sentence or two, for people. */
export function describeForkProof(result: Result<ForkProof, NoForkProof>): string {
  if (result.ok) {
    const { wallet, seq, a, b } = result.value;
    return `Proven: ${checksumAddress(wallet)} signed two different entries at seq ${seq} of its log, ${a.hash} and ${b.hash}.`;
  }
  const { code, at, expected, found, entry } = result.error;
  switch (code) {
    case "other-wallet":
      return `No fork: the entries are of two wallets, ${expected} and ${found}.`;
    case "other-seq":
      return `No fork: the entries are at two seqs, ${expected} and ${found}.`;
    case "same-entry":
      return "No fork: both are the same entry. Two signatures under one text are no fork.";
    case "bad-entry":
      return `Not proven: ${at} is not valid (${entry}): expected ${expected}, found ${found}.`;
    case "unchecked":
      return `Not proven: ${at} could not be checked: ${found}.`;
    case "not-canonical":
      return `Not proven: ${at === "$" ? "the text" : at} is not spelled canonically, so it is not what was signed.`;
    default:
      return `No proof of a fork: expected ${expected}${at === "$" ? "" : ` at ${at}`}, found ${found}.`;
  }
}
