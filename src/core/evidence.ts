// What an `evidence` entry carries: the records in `a` and `b` of its body. The only place that unpacks them.

import { canonicalize, own } from "./canonical.ts";
import { parseCandidate, type Candidate } from "./entry.ts";

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

/** The same for a record that was not parsed yet; only what can be evidence is parsed. */
export function carriedByRecord(wire: string): string[] {
  if (!wire.includes('"type":"evidence"')) return [];
  const parsed = parseCandidate(wire);
  return parsed.ok ? carriedRecords(parsed.value) : [];
}
