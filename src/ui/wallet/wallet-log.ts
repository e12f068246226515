// A wallet's whole log, and the sessions that its entries belong to, as runs of it. Which ref of an entry is its
// session's genesis is not written in the entry: it is looked up, and where it can't be, that is said.

import type { Candidate } from "../../core/entry.ts";
import { parseCandidate } from "../../core/entry.ts";
import { readTerms } from "../../core/session.ts";
import { parseRef, type Ref } from "../../core/values.ts";
import type { RecordState } from "../../verify/verifier.ts";

export interface LogRow {
  readonly wire: string;
  readonly state: RecordState;
  /** null where the record is no entry. */
  readonly candidate: Candidate | null;
  /** The genesis that it names; null where none of its refs is known to be one. */
  readonly session: Ref | null;
  /** What is wrong with its place in the log, if anything. */
  readonly chain: "linked" | "start" | "gap" | "broken" | "fork" | "none";
}

export interface LogSession {
  readonly session: Ref;
  readonly game: string;
  readonly title: string;
  readonly entries: number;
  readonly first: number;
  readonly last: number;
}

export interface WalletLog {
  readonly rows: readonly LogRow[];
  readonly sessions: readonly LogSession[];
  readonly forks: number;
  readonly gaps: number;
}

/** The record that a ref names, or undefined. */
export type FindRecord = (ref: Ref) => Promise<string | undefined>;

/** So many refs are looked up for one log. */
const MAX_LOOKUPS = 400;

/** Finds the genesis of each session that the entries name. */
export async function findSessions(
  entries: readonly Candidate[],
  find: FindRecord,
): Promise<ReadonlyMap<Ref, Candidate>> {
  const found = new Map<Ref, Candidate>();
  const others = new Set<Ref>();
  for (const entry of entries) if (entry.type === "genesis") found.set(entry.ref, entry);
  let lookups = 0;
  for (const entry of entries) {
    if (entry.refs.some((ref) => found.has(ref))) continue;
    for (const ref of entry.refs) {
      if (others.has(ref) || lookups >= MAX_LOOKUPS) continue;
      lookups++;
      const record = await find(ref);
      const parsed = record === undefined ? undefined : parseCandidate(record);
      if (parsed?.ok === true && parsed.value.ref === ref && parsed.value.type === "genesis") {
        found.set(ref, parsed.value);
        break;
      }
      others.add(ref);
    }
  }
  return found;
}

/** Puts the records in order, each with how it hangs on the one before. Pure. */
export function arrangeLog(
  wires: readonly string[],
  states: readonly RecordState[],
  geneses: ReadonlyMap<Ref, Candidate>,
): WalletLog {
  const rows = wires.map((wire, i) => rowOf(wire, states[i]!, geneses));
  rows.sort(
    (a, b) => seqOf(a) - seqOf(b) || ((a.candidate?.hash ?? "") < (b.candidate?.hash ?? "") ? -1 : 1),
  );
  const bySeq = new Map<number, string[]>();
  for (const { candidate, state } of rows)
    if (candidate !== null && isSound(state))
      bySeq.set(candidate.seq, [...(bySeq.get(candidate.seq) ?? []), candidate.hash]);
  const linked = rows.map((row): LogRow => ({ ...row, chain: chainOf(row, bySeq) }));
  return {
    rows: linked,
    sessions: sessionsOf(linked, geneses),
    forks: [...bySeq.values()].filter((hashes) => hashes.length > 1).length,
    gaps: linked.filter(({ chain }) => chain === "gap" || chain === "broken").length,
  };
}

function rowOf(
  wire: string,
  state: RecordState,
  geneses: ReadonlyMap<Ref, Candidate>,
): Omit<LogRow, "chain"> {
  const candidate = "candidate" in state ? (state.candidate ?? null) : null;
  const session =
    candidate?.type === "genesis" ? candidate.ref : (candidate?.refs.find((ref) => geneses.has(ref)) ?? null);
  return { wire, state, candidate, session };
}

function seqOf({ candidate }: { readonly candidate: Candidate | null }): number {
  return candidate?.seq ?? Infinity;
}

function isSound(state: RecordState): boolean {
  return state.state === "verified" || state.state === "covered";
}

function chainOf(
  { candidate, state }: Omit<LogRow, "chain">,
  bySeq: ReadonlyMap<number, readonly string[]>,
): LogRow["chain"] {
  if (candidate === null || !isSound(state)) return "none";
  if ((bySeq.get(candidate.seq)?.length ?? 0) > 1) return "fork";
  if (candidate.seq === 0) return "start";
  const before = bySeq.get(candidate.seq - 1);
  if (before === undefined) return "gap";
  return before.includes(candidate.prev_hash ?? "") ? "linked" : "broken";
}

function sessionsOf(rows: readonly LogRow[], geneses: ReadonlyMap<Ref, Candidate>): LogSession[] {
  const sessions = new Map<Ref, LogSession>();
  for (const { session, candidate } of rows) {
    if (session === null || candidate === null) continue;
    const before = sessions.get(session);
    const read = before === undefined ? readTerms(geneses.get(session)!) : undefined;
    const terms = read?.ok === true ? read.value : undefined;
    sessions.set(session, {
      session,
      game: before?.game ?? terms?.game ?? "?",
      title: before?.title ?? terms?.title ?? "",
      entries: (before?.entries ?? 0) + 1,
      first: Math.min(before?.first ?? candidate.seq, candidate.seq),
      last: Math.max(before?.last ?? candidate.seq, candidate.seq),
    });
  }
  return [...sessions.values()].sort(
    (a, b) => b.last - a.last || parseRef(b.session)!.seq - parseRef(a.session)!.seq,
  );
}
