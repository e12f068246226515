// A verifier checks records by the thousand. Two levels, always labelled: `authenticated` (all hashes, and the
// signature of each wallet's last entries, which cover the chains below them), then `verified` (every signature).
// What was not checked is said to be unchecked; it is never a pass.

import type { Candidate, CheckSignature, Rejection } from "../core/entry.ts";
import type { Result } from "../core/result.ts";
import type { Address, Hash } from "../core/values.ts";
import type { Level } from "../core/view.ts";
import type { ParsedRecords } from "./parsed-records.ts";

/** Where an entry stands in its wallet's log: what a chain is followed by. */
export interface Place {
  readonly wallet: Address;
  readonly seq: number;
  readonly prev: Hash | null;
  readonly hash: Hash;
}

export type RecordState =
  /** Its own signature was checked. */
  | { readonly state: "verified"; readonly candidate: Candidate; readonly place: Place }
  /** A checked entry of its wallet pins it through its chain (only at the authenticated level). */
  | { readonly state: "covered"; readonly candidate: Candidate; readonly place: Place }
  | { readonly state: "rejected"; readonly rejection: Rejection; readonly candidate?: Candidate }
  /** The check did not run to its end: a killed worker, a time-out, an exception, an abort. */
  | { readonly state: "unchecked"; readonly why: string; readonly candidate?: Candidate };

export interface Progress {
  readonly done: number;
  readonly total: number;
}

export interface VerifyOptions {
  readonly level: Level;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** What the caller has parsed of these records, and keeps of what is parsed here: no text is parsed twice on its thread. */
  readonly parsed?: ParsedRecords;
}

export interface Report {
  readonly level: Level;
  /** One state per record, in the order given. */
  readonly states: readonly RecordState[];
  readonly counts: {
    readonly verified: number;
    readonly covered: number;
    readonly rejected: number;
    readonly unchecked: number;
  };
  /** What `buildView` asks: the states again, looked up by the entry's exact bytes; unknown bytes are unchecked. */
  readonly check: CheckSignature;
  /** What a record was read as, so that it is not parsed and hashed again; undefined where that is not known. */
  readonly parsed: (wire: string) => Result<Candidate, Rejection> | undefined;
}

export interface Verifier {
  /** Never rejects because of what the records hold; rejects only on misuse (a closed verifier). */
  verify(records: readonly string[], options: VerifyOptions): Promise<Report>;
  /** Ends workers; unfinished checks settle as unchecked. */
  close(): void;
}
