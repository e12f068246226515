// What is asked of a runner (inline or a worker) and what it answers: plain data that crosses a worker's boundary
// whole. One finding per record, in the order asked; a finding never says less than which check failed and where.

import type { Candidate, Rejection, SignatureResult } from "../core/entry.ts";
import { isSignatureForm } from "../core/signature.ts";
import type { Engine } from "./engine.ts";
import type { ParsedRecords } from "./parsed-records.ts";
import type { Place } from "./verifier.ts";

/** `parse`: everything but the signature. `check`: everything. */
export type Task = "parse" | "check";

export type Finding =
  /** All but the signature was checked. */
  | { readonly state: "parsed"; readonly place: Place }
  | { readonly state: "verified"; readonly place: Place }
  /** No candidate: a check before the signature's failed. */
  | { readonly state: "rejected"; readonly rejection: Rejection }
  /** A candidate whose signature is not its wallet's. */
  | { readonly state: "forged"; readonly place: Place; readonly result: BadSignature }
  | { readonly state: "unchecked"; readonly why: string };

export type BadSignature = Extract<SignatureResult, { code: "bad-signature" | "wrong-signer" }>;

/** Runs tasks on records. Settles always, with one finding per record; it never throws because of what they hold. */
export interface Runner {
  /** Tasks that run at the same time. */
  readonly lanes: number;
  /** Records that a task should hold just now, so that it takes neither too long nor too many. */
  chunk(task: Task): number;
  /** `parsed`: records of this thread; a runner whose work is elsewhere does not use them. */
  run(
    task: Task,
    wires: readonly string[],
    signal?: AbortSignal,
    parsed?: ParsedRecords,
  ): Promise<readonly Finding[]>;
  close(): void;
}

/** Does a task by an engine. An exception leaves the records concerned unchecked, and only those. */
export function findAll(
  engine: Engine,
  task: Task,
  wires: readonly string[],
  records?: ParsedRecords,
): Finding[] {
  const parsed = wires.map((wire) => parse(engine, wire, records));
  if (task === "parse") return parsed.map((one) => ("hash" in one ? formOf(one) : one));
  const candidates = parsed.filter((one) => "hash" in one);
  const found = checkAll(engine, candidates);
  let next = 0;
  return parsed.map((one) => ("hash" in one ? found[next++]! : one));
}

function parse(engine: Engine, wire: string, records?: ParsedRecords): Candidate | Finding {
  try {
    const parsed = records?.get(wire, engine.hashing.sha256) ?? engine.parse(wire);
    return parsed.ok ? parsed.value : { state: "rejected", rejection: parsed.error };
  } catch (error) {
    return failed(error);
  }
}

/** Signatures together; if that throws, each alone, so that the others still get their answer. */
function checkAll(engine: Engine, candidates: readonly Candidate[]): Finding[] {
  try {
    return engine.check(candidates).map((result, i) => toFinding(candidates[i]!, result));
  } catch (error) {
    if (candidates.length === 1) return [failed(error)];
    return candidates.flatMap((candidate) => checkAll(engine, [candidate]));
  }
}

/** The form of a signature costs next to nothing to check, so that it is checked at once. */
function formOf(candidate: Candidate): Finding {
  if (isSignatureForm(candidate.sig)) return { state: "parsed", place: placeOf(candidate) };
  return toFinding(candidate, { ok: false, code: "bad-signature" });
}

function toFinding(candidate: Candidate, result: SignatureResult): Finding {
  if (result.ok) return { state: "verified", place: placeOf(candidate) };
  if (result.code === "unchecked") return { state: "unchecked", why: result.why };
  return { state: "forged", place: placeOf(candidate), result };
}

function placeOf({ wallet, seq, prev_hash, hash }: Candidate): Place {
  return { wallet, seq, prev: prev_hash, hash };
}

function failed(error: unknown): Finding {
  return { state: "unchecked", why: `the check failed: ${String(error)}` };
}

export function allUnchecked(count: number, why: string): Finding[] {
  return Array.from({ length: count }, () => ({ state: "unchecked", why }));
}
