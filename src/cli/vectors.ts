// `coop vectors`: runs a folder of vector files, entries and sessions alike, and names every mismatch.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fromHex, toHex } from "../core/bytes.ts";
import { canonicalize, isObject, own, parseJson, type Json, type JsonObject } from "../core/canonical.ts";
import { acceptCandidate, parseCandidate } from "../core/entry.ts";
import { checkPlain } from "../core/signature.ts";
import { isHash, isRef } from "../core/values.ts";
import { answer } from "../games/vectors.ts";
import { openSealed, publicKeyOf } from "../wallet/ecies.ts";
import { readArguments } from "./arguments.ts";
import { EXIT, Unusable, type SafeConsole, type ExitCode } from "./console.ts";
import { readText, shown } from "./source.ts";

export const VECTORS_HELP = `coop vectors DIR

Runs every vector in the .json and .jsonl files of a folder: entries (wire, and
hash, ref or error), sessions (session, records, key, expect) and sealed domain
keys (private_key, public_key, sealed, domain_key, opens). Prints every mismatch
and, last, "N passed, N failed".
Exit: 0 all passed, 1 any failed or there was none, 3 unusable input.`;

interface Case {
  readonly title: string;
  readonly vector: JsonObject;
}

export async function vectors(args: readonly string[], console: SafeConsole): Promise<ExitCode> {
  const [folder] = readArguments(args, {}, 1).positionals;
  if (folder === undefined) throw new Unusable("which folder of vectors?");
  let passed = 0;
  let failed = 0;
  for (const { title, vector } of await readCases(folder, console)) {
    const fault = runCase(vector);
    if (fault === undefined) passed++;
    else {
      failed++;
      console.out(`FAILED ${title}: ${fault}`);
    }
  }
  if (passed + failed === 0) console.out(`no vectors in ${folder}`);
  console.out(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? EXIT.ok : EXIT.failed;
}

async function readCases(folder: string, console: SafeConsole): Promise<Case[]> {
  let names: string[];
  try {
    names = (await readdir(folder)).filter((name) => /\.jsonl?$/.test(name)).sort();
  } catch (error) {
    throw new Unusable(
      `${shown(folder)}: no folder that can be read (${(error as NodeJS.ErrnoException).code ?? "error"})`,
    );
  }
  const cases: Case[] = [];
  for (const name of names) {
    console.note(`reading ${name}`);
    const text = await readText(join(folder, name), console);
    const values = name.endsWith(".jsonl") ? linesOf(name, text) : listOf(name, text);
    values.forEach((value, i) => {
      if (!isObject(value)) throw new Unusable(`${name}, vector ${i + 1}: no object`);
      const own_ = own(value, "name");
      cases.push({ title: `${name} ${typeof own_ === "string" ? own_ : `#${i + 1}`}`, vector: value });
    });
  }
  return cases;
}

function listOf(name: string, text: string): readonly Json[] {
  const value = parseJson(text);
  if (Array.isArray(value)) return value as readonly Json[];
  throw new Unusable(`${name}: not a JSON list of vectors`);
}

function linesOf(name: string, text: string): Json[] {
  return text.split("\n").flatMap((line, i) => {
    if (line.trim() === "") return [];
    const value = parseJson(line);
    if (value === undefined) throw new Unusable(`${name}, line ${i + 1}: not JSON`);
    return [value];
  });
}

/** What is wrong, or undefined where the answer is the expected one. */
function runCase(vector: JsonObject): string | undefined {
  if (Object.hasOwn(vector, "wire")) return runEntry(vector);
  if (Object.hasOwn(vector, "private_key")) return runSealedKey(vector);
  const session = own(vector, "session");
  const records = own(vector, "records");
  const expected = own(vector, "expect");
  const key = own(vector, "key");
  if (!isRef(session) || !isListOfTexts(records) || !isObject(expected))
    return "no entry (wire), session (session, records, expect) or sealed key (private_key, sealed, opens)";
  const found = answer({ session, records, ...(typeof key === "string" && { key }) });
  return difference(expected, found, "");
}

function runEntry(vector: JsonObject): string | undefined {
  const wire = own(vector, "wire");
  if (typeof wire !== "string") return "wire is no text";
  const parsed = parseCandidate(wire);
  const result = parsed.ok ? acceptCandidate(parsed.value, checkPlain) : parsed;
  const found: JsonObject = result.ok
    ? { hash: result.value.hash, ref: result.value.ref }
    : { error: result.error.code };
  const expected = Object.fromEntries(
    ["error", "hash", "ref"].flatMap((name) => {
      const value = own(vector, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return difference(expected, found, "");
}

/** K_d as ECIES has sealed it to a public key. */
function runSealedKey(vector: JsonObject): string | undefined {
  const secret = own(vector, "private_key");
  const sealed = own(vector, "sealed");
  const opens = own(vector, "opens");
  if (!isHash(secret)) return "private_key is not 0x and 64 hex digits";
  if (typeof sealed !== "string" || !/^0x([0-9a-f]{2})*$/.test(sealed)) return "sealed is not hex";
  if (typeof opens !== "boolean") return "opens is neither true nor false";
  const opened = openSealed(secret, fromHex(sealed));
  const found = {
    public_key: publicKeyOf(secret),
    ...(opened !== undefined && { domain_key: toHex(opened) }),
  };
  const expected = ["public_key", ...(opens ? ["domain_key"] : [])].flatMap((name) => {
    const value = own(vector, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return difference(Object.fromEntries(expected), found, "");
}

function isListOfTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** The first place where two values differ, as a sentence. */
function difference(expected: Json | undefined, found: Json | undefined, at: string): string | undefined {
  if (isObject(expected) && isObject(found)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
      const inside = difference(own(expected, name), own(found, name), at === "" ? name : `${at}.${name}`);
      if (inside !== undefined) return inside;
    }
    return undefined;
  }
  const [a, b] = [expected, found].map(written);
  return a === b ? undefined : `at ${at || "$"}: expected ${clip(a!)}, found ${clip(b!)}`;
}

/** A vector's file may hold what has no canonical form: it is shown as it is, and equals no answer. */
function written(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  try {
    return canonicalize(value);
  } catch (error) {
    return `a value with ${(error as Error).message}`;
  }
}

function clip(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
