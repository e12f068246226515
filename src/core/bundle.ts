// A bundle: one file that carries a session's records, verified like any other bag, with no network.
// UTF-8 JSON Lines: a header, then one record's wire form a line.

import { canonicalize, isObject, own, parseJson } from "./canonical.ts";
import { isRef, type Ref } from "./values.ts";

export const BUNDLE_FORMAT = "coop-bundle/1";
export const BUNDLE_EXTENSION = ".coop.jsonl";

export interface Bundle {
  readonly ok: true;
  readonly session: Ref;
  /** Of all bundles that stand after one another in the text, `session` first, each once. */
  readonly sessions: readonly Ref[];
  /** Every line but headers and blank ones, as it stands: a damaged one is the verifier's to reject. */
  readonly records: readonly string[];
}

export interface BadBundle {
  readonly ok: false;
  readonly code: "not-a-bundle" | "unknown-format" | "bad-session";
  readonly line: 1;
  readonly expected: string;
  readonly found: string;
}

/** Reads a bundle's text. Lines may end in CR LF; nothing else is forgiven. */
export function readBundle(text: string): Bundle | BadBundle {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const header = parseJson(lines[0]!);
  if (!isObject(header) || !Object.hasOwn(header, "format"))
    return bad("not-a-bundle", `a first line {"format":"${BUNDLE_FORMAT}","session":…}`, lines[0]!);
  const format = own(header, "format");
  if (format !== BUNDLE_FORMAT) return bad("unknown-format", BUNDLE_FORMAT, canonicalText(format));
  const session = own(header, "session");
  if (!isRef(session))
    return bad("bad-session", "a session id <address>:<seq>:<hash>", canonicalText(session));
  const sessions = new Set([session]);
  const records: string[] = [];
  for (const line of lines.slice(1).flatMap(splitGlued)) {
    const other = line.startsWith(HEAD) ? sessionOf(line) : undefined;
    if (other !== undefined)
      sessions.add(other); // what follows is of the same bag
    else if (line !== "") records.push(line);
  }
  return { ok: true, session, sessions: [...sessions], records };
}

const HEAD = '{"format":"';

/** The session that a bundle's header names. */
function sessionOf(line: string): Ref | undefined {
  const header = parseJson(line);
  if (!isObject(header) || own(header, "format") !== BUNDLE_FORMAT) return undefined;
  const session = own(header, "session");
  return isRef(session) ? session : undefined;
}

/** A record and the header of the next bundle, where the first file had no line break at its end. */
function splitGlued(line: string): string[] {
  // Unescaped quotation marks stand in no string of JSON, so in no good record.
  const at = line.indexOf(`}${HEAD}`);
  return at < 0 || sessionOf(line.slice(at + 1)) === undefined
    ? [line]
    : [line.slice(0, at + 1), line.slice(at + 1)];
}

/** The text of a bundle. Records are written as they are; one with a line break in it cannot be carried. */
export function writeBundle(session: Ref, records: Iterable<string>): string {
  const lines = [canonicalize({ format: BUNDLE_FORMAT, session })];
  for (const record of new Set(records)) if (!/[\r\n]/.test(record)) lines.push(record);
  return `${lines.join("\n")}\n`;
}

function bad(code: BadBundle["code"], expected: string, found: string): BadBundle {
  return { ok: false, code, line: 1, expected, found: found.slice(0, 120) };
}

function canonicalText(value: Parameters<typeof canonicalize>[0] | undefined): string {
  try {
    return value === undefined ? "nothing" : canonicalize(value);
  } catch {
    return "a value without canonical form";
  }
}
