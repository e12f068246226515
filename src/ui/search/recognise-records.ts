// Records in a text: a bundle, one entry's JSON, a list of entries, or one entry a line. The records are kept byte for
// byte as they were given; whether they are good is for the verifier to say.

import { readBundle } from "../../core/bundle.ts";
import { isObject, own, parseJson } from "../../core/canonical.ts";
import { parseCandidate } from "../../core/entry.ts";
import type { Steps } from "../../core/steps.ts";
import type { Ref, Sha256 } from "../../core/values.ts";
import { count, refuse, formatRef, type Recognised } from "./recognise.ts";
import { splitSteps } from "./split-json.ts";

/** Assumes a text that begins with `{` or `[`. */
export function* recordSteps(text: string): Steps<Recognised> {
  if (text.startsWith("[")) {
    const items = yield* splitSteps(text);
    return items === undefined ? cut() : yield* listSteps(items, true);
  }
  const end = text.indexOf("\n");
  const head = parseJson((end < 0 ? text : text.slice(0, end)).trim());
  if (isObject(head) && own(head, "format") !== undefined) return recogniseBundle(text);
  if (isObject(parseJson(text, Infinity))) return recogniseOne(text);
  if (isObject(head)) return yield* listSteps(linesOf(text), false);
  return cut();
}

const cut = () => refuse("It begins like JSON and does not parse: it may have been cut.");

function recogniseBundle(text: string): Recognised {
  const bundle = readBundle(text);
  if (!bundle.ok)
    return refuse(
      bundle.code === "bad-session"
        ? "The bundle’s first line names no session."
        : `It is a file of another format: expected ${bundle.expected}, found ${bundle.found}.`,
    );
  const { sessions, records } = bundle;
  if (records.length === 0) return refuse("The bundle holds no records.");
  return {
    kind: "records",
    says: `${sessions.length === 1 ? "A bundle" : `Bundles of ${sessions.length} sessions`} of ${count(records.length, "record")}`,
    sessions,
    records,
  };
}

function recogniseOne(text: string): Recognised {
  const parsed = parseCandidate(text);
  if (!parsed.ok) {
    const { code, at, expected, found } = parsed.error;
    return refuse(
      code === "not-canonical"
        ? "It looks like an entry, but is not spelled canonically (RFC 8785), so it is not what its author signed."
        : `It is JSON but no entry: ${at} should be ${expected}, and is ${found} (${code}).`,
    );
  }
  const candidate = parsed.value;
  if (candidate.type === "genesis")
    return { kind: "records", says: "A session’s genesis", sessions: [candidate.ref], records: [text] };
  return {
    kind: "records",
    says: formatRef(candidate.ref),
    sessions: [],
    records: [text],
    entry: candidate.ref,
  };
}

/** Records read in one step. */
const STEP = 64;

/** In a list every item must be JSON, or the whole was cut; a line of a file may be anything. */
function* listSteps(items: readonly string[], strict: boolean): Steps<Recognised> {
  const records: string[] = [];
  const sessions = new Set<Ref>();
  let good = 0;
  for (const item of items) {
    const record = strict ? unquote(item) : item;
    const parsed = parseCandidate(record, notHashed);
    if (strict && !parsed.ok && parseJson(item, Infinity) === undefined) return cut();
    if (parsed.ok) good++;
    if (parsed.ok && parsed.value.type === "genesis") sessions.add(refOf(record));
    if (records.push(record) % STEP === 0) yield;
  }
  if (good === 0) return refuse("It is a list, and nothing in it is an entry.");
  const bad = records.length - good;
  const says = `${count(records.length, "record")}${bad > 0 ? `, ${bad} of them unreadable` : ""}`;
  if (sessions.size > 0)
    return {
      kind: "records",
      says: `${says} of ${count(sessions.size, "session")}`,
      sessions: [...sessions],
      records,
    };
  if (records.length > 1) return refuse(`${says}, but no session’s genesis among them.`);
  const only = refOf(records[0]!);
  return { kind: "records", says: formatRef(only), sessions: [], records, entry: only };
}

/** The verifier hashes every record; here only those are that something is named by. */
const notHashed: Sha256 = () => "0x";

function refOf(record: string): Ref {
  const parsed = parseCandidate(record);
  if (!parsed.ok) throw new Error(`a record read as an entry is none: ${parsed.error.code}`);
  return parsed.value.ref;
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
