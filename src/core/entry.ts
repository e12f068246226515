// An entry, from its wire form to a checked value, in layers: `parseCandidate` checks everything but the
// signature; `acceptCandidate` adds the signature, which the caller checks by a function of its choice.
// Nothing else makes an `Entry`.

import { utf8Length } from "./bytes.ts";
import {
  canonicalize,
  isCanonical,
  isObject,
  parseJson,
  sourceAt,
  type Json,
  type JsonObject,
} from "./canonical.ts";
import { fail, ok, type Failure, type Result } from "./result.ts";
import { formatRef, isAddress, isHash, isRef, parseRef, sha256 as plainSha256 } from "./values.ts";
import type { Address, Hash, Ref, Sha256, SignatureHex } from "./values.ts";

/** What the author says and signs. */
export interface UnsignedEntry {
  readonly wallet: Address;
  readonly seq: number;
  readonly prev_hash: Hash | null;
  readonly refs: readonly Ref[];
  readonly type: string;
  readonly body: JsonObject;
}

export interface SignedEntry extends UnsignedEntry {
  readonly sig: SignatureHex;
}

/** Form, size and canonical spelling are checked and the hash is computed; the signature is not checked. */
export interface Candidate extends SignedEntry {
  readonly wire: string;
  readonly hash: Hash;
  readonly ref: Ref;
}

declare const accepted: unique symbol;
/** A candidate whose signature its wallet has made (or, at the authenticated level, whose chain such a signature covers). */
export interface Entry extends Candidate {
  readonly [accepted]: true;
}

export const ENTRY_CODES = [
  "too-large",
  "not-json",
  "bad-shape",
  "bad-refs",
  "bad-number",
  "not-canonical",
  "bad-signature",
  "wrong-signer",
] as const;
export type EntryCode = (typeof ENTRY_CODES)[number];

/** Why bytes are no entry: the first check that failed, where, and what was expected and found there. */
export interface Rejection {
  readonly code: EntryCode;
  readonly at: string;
  readonly expected: string;
  readonly found: string;
}

export const MAX_RECORD_BYTES = 65_536;
export const MAX_ENTRY_BYTES = 16_384;
export const MAX_REFS = 256;
export const MAX_LEVEL = 16;

const SIGNED_TEXT_HEAD = "Cooperation Protocol entry v1\n\n";
const FIELDS = ["body", "prev_hash", "refs", "seq", "sig", "type", "wallet"] as const;
const TYPE = /^[a-z][a-z0-9-]{0,31}$/;
const SIG = /^0x[0-9a-f]{130}$/;

/** Names and indices that lead from the whole to a value. */
type Path = readonly (string | number)[];

/** What a signature check says of one candidate. `covered`: a later checked entry of the wallet pins this one by its hash. */
export type SignatureResult =
  | { readonly ok: true; readonly by: "signature" | "chain" }
  | { readonly ok: false; readonly code: "bad-signature" }
  | { readonly ok: false; readonly code: "wrong-signer"; readonly recovered: Address }
  | { readonly ok: false; readonly code: "unchecked"; readonly why: string };

/** Checks a candidate's signature, or looks up what a verifier has found. Must not throw. */
export type CheckSignature = (candidate: Candidate) => SignatureResult;

/**
 * Checks the wire text in the order of the rules, up to and with canonical form.
 * Afterwards every field has its form, the refs are sorted and unique, the size is within the limit, and `wire`
 * is the canonical form of the entry; nothing is known of the signature, the chain or the session.
 */
export function parseCandidate(wire: string, sha256: Sha256 = plainSha256): Result<Candidate, Rejection> {
  const size = sizeOf(wire);
  if (size > MAX_RECORD_BYTES) return tooLarge(size, MAX_RECORD_BYTES);
  // However deep: the nesting is a later check of the rules, and is bounded there before anything recurses.
  const value = parseJson(wire, Infinity);
  if (value === undefined) return refuse("not-json", "$", "a JSON text", "text that does not parse");
  const read = readFields(value, wire);
  if (!read.ok) return read;
  const fields = read.value;
  if (size > MAX_ENTRY_BYTES && fields.type !== "evidence") return tooLarge(size, MAX_ENTRY_BYTES);
  const fault = checkBody(fields.body, wire);
  if (fault !== undefined) return fault;
  if (!isCanonical(wire, value))
    return refuse("not-canonical", "$", "the canonical form (RFC 8785)", "another spelling");
  const hash = sha256(withoutSig(wire, fields));
  // Written out: a spread costs a fifth of the whole check.
  const { wallet, seq, prev_hash, refs, type, body, sig } = fields;
  return ok({ wallet, seq, prev_hash, refs, type, body, sig, wire, hash, ref: formatRef(wallet, seq, hash) });
}

/**
 * The candidate of a text that `parseCandidate` has accepted elsewhere (in a worker, say) with this hash: nothing is
 * checked again. For any other text it promises nothing.
 */
export function reviveCandidate(wire: string, hash: Hash): Candidate {
  const { wallet, seq, prev_hash, refs, type, body, sig } = parseJson(
    wire,
    Infinity,
  ) as unknown as SignedEntry;
  return { wallet, seq, prev_hash, refs, type, body, sig, wire, hash, ref: formatRef(wallet, seq, hash) };
}

/** Bytes of UTF-8, counted only where a limit could be passed: a UTF-16 unit takes at most three. */
function sizeOf(wire: string): number {
  if (wire.length > MAX_RECORD_BYTES || 3 * wire.length <= MAX_ENTRY_BYTES) return wire.length;
  return utf8Length(wire);
}

/** Adds the signature's verdict: an Entry, a Rejection, or the word that it was not checked. */
export function acceptCandidate(
  candidate: Candidate,
  check: CheckSignature,
): Result<Entry, Rejection | Unchecked> {
  const result = check(candidate);
  if (result.ok) return ok(candidate as Entry);
  if (result.code === "unchecked") return fail({ code: "unchecked", why: result.why });
  if (result.code === "wrong-signer")
    return refuse("wrong-signer", "sig", `a signature by ${candidate.wallet}`, `one by ${result.recovered}`);
  return refuse("bad-signature", "sig", "a recoverable signature, low s, v 27 or 28", candidate.sig);
}

export interface Unchecked {
  readonly code: "unchecked";
  readonly why: string;
}

/** Canonical form of the entry without `sig`: what the hash covers. @throws CanonicalError */
export function unsignedText(entry: UnsignedEntry): string {
  const { wallet, seq, prev_hash, refs, type, body } = entry;
  return canonicalize({ wallet, seq, prev_hash, refs, type, body });
}

/** The text that the wallet signs by EIP-191 personal_sign. @throws CanonicalError */
export function signedText(entry: UnsignedEntry): string {
  return SIGNED_TEXT_HEAD + unsignedText(entry);
}

/** The same from a candidate's wire form, without writing it anew. */
export function candidateSignedText(candidate: Candidate): string {
  return SIGNED_TEXT_HEAD + withoutSig(candidate.wire, candidate);
}

/** Wire form of a signed entry. @throws CanonicalError */
export function wireForm(entry: SignedEntry): string {
  const { wallet, seq, prev_hash, refs, type, body, sig } = entry;
  return canonicalize({ wallet, seq, prev_hash, refs, type, body, sig });
}

const TAIL_LENGTH = `,"type":"","wallet":"0x${"0".repeat(40)}"}`.length;
const SIG_LENGTH = `,"sig":"0x${"0".repeat(130)}"`.length;

/** Canonical text ends in `,"sig":"…","type":"…","wallet":"…"}`; all three have a known length, so the sig is cut out. */
function withoutSig(wire: string, fields: SignedEntry): string {
  const tail = wire.length - (TAIL_LENGTH + fields.type.length);
  return wire.slice(0, tail - SIG_LENGTH) + wire.slice(tail);
}

function readFields(value: Json, wire: string): Result<SignedEntry, Rejection> {
  if (!isObject(value)) return refuse("bad-shape", "$", "an object", kindOf(value));
  const keys = Object.keys(value);
  for (const key of keys)
    if (!(FIELDS as readonly string[]).includes(key))
      return refuse("bad-shape", key, "no such field", "an extra field");
  for (const field of FIELDS)
    if (!Object.hasOwn(value, field)) return refuse("bad-shape", field, "the field", "nothing");
  const { wallet, seq, prev_hash, refs, type, body, sig } = value;
  if (!isAddress(wallet))
    return refuse("bad-shape", "wallet", "0x and 40 lower-case hex digits", show(wallet, wire, "wallet"));
  if (typeof seq !== "number" || !Number.isSafeInteger(seq) || seq < 0)
    return refuse("bad-shape", "seq", "an integer from 0 to 2^53-1", show(seq, wire, "seq"));
  if (seq === 0 ? prev_hash !== null : !isHash(prev_hash))
    return refuse(
      "bad-shape",
      "prev_hash",
      seq === 0 ? "null at seq 0" : "a hash",
      show(prev_hash, wire, "prev_hash"),
    );
  if (!Array.isArray(refs)) return refuse("bad-shape", "refs", "a list of refs", kindOf(refs));
  if (refs.length > MAX_REFS)
    return refuse("bad-shape", "refs", `at most ${MAX_REFS} refs`, `${refs.length}`);
  for (let i = 0; i < refs.length; i++)
    if (!isRef(refs[i]))
      return refuse(
        "bad-shape",
        `refs[${i}]`,
        "<address>:<seq>:<hash>",
        show(refs[i] as Json, wire, "refs", i),
      );
  if (typeof type !== "string" || !TYPE.test(type))
    return refuse("bad-shape", "type", "[a-z][a-z0-9-]{0,31}", show(type, wire, "type"));
  if (!isObject(body)) return refuse("bad-shape", "body", "an object", kindOf(body));
  if (typeof sig !== "string" || !SIG.test(sig))
    return refuse("bad-shape", "sig", "0x and 130 lower-case hex digits", show(sig, wire, "sig"));
  const list = refs as Ref[];
  const fault = checkRefs(list, wallet, seq);
  if (fault !== undefined) return fault;
  return ok({
    wallet,
    seq,
    prev_hash: prev_hash as Hash | null,
    refs: list,
    type,
    body,
    sig: sig as SignatureHex,
  });
}

function checkRefs(refs: readonly Ref[], wallet: Address, seq: number): Failure<Rejection> | undefined {
  for (let i = 0; i < refs.length; i++) {
    const ref = refs[i]!;
    if (i > 0 && ref <= refs[i - 1]!)
      return refuse("bad-refs", `refs[${i}]`, "refs in ascending order, each once", quote(ref));
    if (ref.startsWith(wallet) && parseRef(ref)!.seq >= seq)
      return refuse("bad-refs", `refs[${i}]`, "no ref to the author's own present or future", quote(ref));
  }
  return undefined;
}

/** Nesting first, for the whole body, then numbers: the order of the rules. The other fields are flat and checked. */
function checkBody(body: JsonObject, wire: string): Failure<Rejection> | undefined {
  if (isSound(body, 1)) return undefined;
  let badNumber: Failure<Rejection> | undefined;
  let level: { value: Json; at: string; path: Path }[] = [{ value: body, at: "body", path: ["body"] }];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_LEVEL)
      return refuse("bad-shape", level[0]!.at, `nesting to level ${MAX_LEVEL}`, "a deeper value");
    const next: typeof level = [];
    for (const { value, at, path } of level) {
      if (typeof value === "number" && !Number.isSafeInteger(value))
        badNumber ??= refuse("bad-number", at, "an integer within ±(2^53-1)", show(value, wire, ...path));
      if (typeof value !== "object" || value === null) continue;
      if (Array.isArray(value))
        (value as readonly Json[]).forEach((item, i) =>
          next.push({ value: item, at: `${at}[${i}]`, path: [...path, i] }),
        );
      else
        for (const key of Object.keys(value))
          next.push({ value: (value as JsonObject)[key]!, at: `${at}.${key}`, path: [...path, key] });
    }
    level = next;
  }
  return badNumber;
}

/** Whether the nesting stays within the limit and all numbers are safe; what is not, `checkBody` then names. */
function isSound(value: Json, level: number): boolean {
  if (level > MAX_LEVEL) return false;
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) if (!isSound(item, level + 1)) return false;
    return true;
  }
  for (const key of Object.keys(value)) if (!isSound((value as JsonObject)[key]!, level + 1)) return false;
  return true;
}

function refuse(code: EntryCode, at: string, expected: string, found: string): Failure<Rejection> {
  return fail({ code, at, expected, found });
}

function tooLarge(size: number, most: number): Failure<Rejection> {
  return refuse("too-large", "$", `at most ${most} bytes`, `${size} bytes`);
}

function kindOf(value: Json | undefined): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return value === undefined ? "nothing" : `a ${typeof value}`;
}

/** A value as it was received: of a number the digits in the wire text, since a double would round them. */
function show(value: Json | undefined, wire: string, ...path: Path): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "number") return cut(sourceAt(wire, path) ?? String(value));
  return typeof value === "boolean" ? String(value) : kindOf(value);
}

function quote(text: string): string {
  return `"${cut(text)}"`;
}

function cut(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
