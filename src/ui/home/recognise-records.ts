// Records in a text: a bundle, one entry's JSON, a list of entries, or one entry a line. The records are kept byte for
// byte as they were given; whether they are good is for the verifier to say.

import { readBundle } from "../../core/bundle.ts";
import { isObject, own, parseJson } from "../../core/canonical.ts";
import { parseCandidate, type Candidate } from "../../core/entry.ts";
import type { Ref } from "../../core/values.ts";
import { count, refuse, sayRef, type Recognised } from "./recognise.ts";
import { splitList } from "./split-json.ts";

/** Assumes a text that begins with `{` or `[`. */
export function recogniseRecords(text: string): Recognised {
  const end = text.indexOf("\n");
  const head = parseJson((end < 0 ? text : text.slice(0, end)).trim());
  if (isObject(head) && own(head, "format") !== undefined) return recogniseBundle(text);
  const value = parseJson(text);
  if (Array.isArray(value)) return recogniseList(splitList(text).map(unquote));
  if (isObject(value)) return recogniseOne(text);
  if (isObject(head)) return recogniseList(linesOf(text));
  return refuse("It begins like JSON and does not parse: it may have been cut.");
}

function recogniseBundle(text: string): Recognised {
  const bundle = readBundle(text);
  if (!bundle.ok)
    return refuse(
      bundle.code === "bad-session"
        ? "The bundle’s first line names no session."
        : `It is a file of another format: expected ${bundle.expected}, found ${bundle.found}.`,
    );
  const { session, records } = bundle;
  if (records.length === 0) return refuse("The bundle holds no records.");
  return {
    kind: "records",
    says: `A bundle of ${count(records.length, "record")}`,
    sessions: [session],
    records,
  };
}

function recogniseOne(text: string): Recognised {
  const candidate = parseCandidate(text);
  if ("ok" in candidate)
    return refuse(
      candidate.code === "not-canonical"
        ? "It looks like an entry, but is not spelled canonically (RFC 8785), so it is not what its author signed."
        : `It is JSON but no entry: ${candidate.at} should be ${candidate.expected}, and is ${candidate.found} (${candidate.code}).`,
    );
  if (candidate.type === "genesis")
    return { kind: "records", says: "A session’s genesis", sessions: [candidate.ref], records: [text] };
  return {
    kind: "records",
    says: sayRef(candidate.ref),
    sessions: [],
    records: [text],
    entry: candidate.ref,
  };
}

function recogniseList(records: readonly string[]): Recognised {
  const candidates: Candidate[] = [];
  for (const record of records) {
    const candidate = parseCandidate(record);
    if (!("ok" in candidate)) candidates.push(candidate);
  }
  if (candidates.length === 0) return refuse("It is a list, and nothing in it is an entry.");
  const sessions = [...new Set<Ref>(candidates.filter((c) => c.type === "genesis").map((c) => c.ref))];
  const bad = records.length - candidates.length;
  const says = `${count(records.length, "record")}${bad > 0 ? `, ${bad} of them unreadable` : ""}`;
  const [only] = candidates;
  if (sessions.length === 0 && records.length === 1 && only !== undefined)
    return { kind: "records", says: sayRef(only.ref), sessions, records, entry: only.ref };
  if (sessions.length === 0) return refuse(`${says}, but no session’s genesis among them.`);
  return { kind: "records", says: `${says} of ${count(sessions.length, "session")}`, sessions, records };
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Items of a list that are texts hold a wire form each. */
function unquote(item: string): string {
  const value = item.startsWith('"') ? parseJson(item) : undefined;
  return typeof value === "string" ? value : item;
}
