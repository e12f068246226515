// A bundle: one file that carries a session's records, verified like any other bag, with no network.
// UTF-8 JSON Lines: a header, then one record's wire form a line.

import { canonicalize, isObject, own, parseJson } from "./canonical.ts";
import { isRef, type Ref } from "./values.ts";

export const BUNDLE_FORMAT = "coop-bundle/1";
export const BUNDLE_EXTENSION = ".coop.jsonl";

export interface Bundle {
  readonly ok: true;
  readonly session: Ref;
  /** Every line after the header but blank ones, as it stands: a damaged one is the verifier's to reject. */
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
  return { ok: true, session, records: lines.slice(1).filter((line) => line !== "") };
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
