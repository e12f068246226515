// What an `evidence` entry carries: the records in `a` and `b` of its body. The only place that unpacks them.

import { canonicalize, own } from "./canonical.ts";
import type { Candidate } from "./entry.ts";

/** The carried records of an entry as wire texts, unread; none where it is no evidence. */
export function carriedRecords(entry: Pick<Candidate, "type" | "body">): string[] {
  if (entry.type !== "evidence") return [];
  const records: string[] = [];
  for (const member of ["a", "b"]) {
    const value = own(entry.body, member);
    if (value !== undefined) records.push(canonicalize(value));
  }
  return records;
}
