// A bag of records, read: which are entries, which are rejected and why, which could not be checked.
// Order and repetition of the records never matter.

import { fromUtf8 } from "./bytes.ts";
import { acceptCandidate, parseCandidate } from "./entry.ts";
import type { Candidate, CheckSignature, Entry, Rejection } from "./entry.ts";
import { carriedRecords } from "./evidence.ts";
import type { Result } from "./result.ts";
import { sha256 as plainSha256, type Hash, type Ref, type Sha256 } from "./values.ts";
import type { Level, RejectedRecord, UncheckedRecord } from "./view.ts";

/** What came from a Hub, a file or a relay, unread: its text, or its bytes. */
export type Record = string | Uint8Array;

export interface Bag {
  readonly entries: ReadonlyMap<Ref, Entry>;
  /** Sorted by hash, each once. */
  readonly rejected: readonly RejectedRecord[];
  readonly unchecked: readonly UncheckedRecord[];
  readonly level: Level;
}

export interface ReadOptions {
  readonly check: CheckSignature;
  /** A faster SHA-256 than the plain one, or one that looks up known hashes. */
  readonly sha256?: Sha256;
  /** What a verifier has read a text as already; undefined: it is read here. */
  readonly parsed?: (wire: string) => Result<Candidate, Rejection> | undefined;
}

/**
 * Reads every record, and what stands in `a` and `b` of each evidence entry's body, as a record too.
 * Of several wire forms of one entry (other signatures, one hash) the least text is kept.
 */
export function readBag(records: Iterable<Record>, options: ReadOptions): Bag {
  const { check, sha256 = plainSha256 } = options;
  const entries = new Map<Ref, Entry>();
  const rejected = new Map<Hash, RejectedRecord>();
  const unchecked = new Map<Hash, UncheckedRecord>();
  const seen = new Set<string>();
  let level: Level = "verified";

  const read = (wire: string): void => {
    const work = [wire];
    for (let text = work.pop(); text !== undefined; text = work.pop()) {
      if (seen.has(text)) continue;
      seen.add(text);
      const parsed = options.parsed?.(text) ?? parseCandidate(text, sha256);
      if (!parsed.ok) {
        const hash = plainSha256(text);
        rejected.set(hash, { hash, wire: text, rejection: parsed.error });
        continue;
      }
      const result = check(parsed.value);
      const accepted = acceptCandidate(parsed.value, () => result);
      if (!accepted.ok) {
        const { error } = accepted;
        const hash = plainSha256(text);
        if (error.code === "unchecked") unchecked.set(hash, { hash, wire: text, why: error.why });
        else rejected.set(hash, { hash, wire: text, rejection: error });
        continue;
      }
      const entry = accepted.value;
      if (result.ok && result.by === "chain") level = "authenticated";
      const other = entries.get(entry.ref);
      if (other === undefined || entry.wire < other.wire) entries.set(entry.ref, entry);
      work.push(...carriedRecords(entry));
    }
  };

  for (const record of records) {
    const text = typeof record === "string" ? record : fromUtf8(record);
    if (text !== undefined) read(text);
    else {
      const hash = plainSha256(record);
      rejected.set(hash, { hash, wire: "", rejection: NOT_UTF8 });
    }
  }
  return { entries, rejected: byHash(rejected), unchecked: byHash(unchecked), level };
}

const NOT_UTF8: Rejection = {
  code: "not-json",
  at: "$",
  expected: "a JSON text in UTF-8",
  found: "bytes that are not UTF-8",
};

function byHash<T extends { readonly hash: Hash }>(records: Map<Hash, T>): T[] {
  return [...records.values()].sort((a, b) => (a.hash < b.hash ? -1 : 1));
}
