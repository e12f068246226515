// Canonical JSON: RFC 8785 (JCS) over the protocol's JSON subset. It refuses rather than repairs:
// what cannot be written canonically is an error that names the place, never a changed value.
// The only file of the core that calls JSON.parse and JSON.stringify.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export type CanonicalCode = "bad-number" | "lone-surrogate" | "too-deep" | "not-json-value";

/** A value has no canonical form. `path` leads to it, `$` being the whole. */
export class CanonicalError extends Error {
  override readonly name = "CanonicalError";
  readonly code: CanonicalCode;
  readonly path: string;
  constructor(code: CanonicalCode, path: string) {
    super(`no canonical form: ${code} at ${path}`);
    this.code = code;
    this.path = path;
  }
}

/** Deeper values than this are refused; the protocol's own limit (16) is far below. */
export const MAX_DEPTH = 64;

/**
 * The canonical text of a value (RFC 8785): keys sorted by UTF-16 code unit, no white space, the escapes of
 * ECMAScript's JSON. Integers within ±(2^53-1) only; strings must be valid Unicode.
 * @throws CanonicalError when the value is not of the JSON subset
 */
export function canonicalize(value: Json): string {
  return write(value, "$", 0);
}

function write(value: unknown, path: string, depth: number): string {
  if (depth > MAX_DEPTH) throw new CanonicalError("too-deep", path);
  switch (typeof value) {
    case "string":
      return writeText(value, path);
    case "boolean":
      return value ? "true" : "false";
    case "number":
      if (!Number.isSafeInteger(value)) throw new CanonicalError("bad-number", path);
      return String(value);
    case "object":
      break;
    default:
      throw new CanonicalError("not-json-value", path);
  }
  if (value === null) return "null";
  if (Array.isArray(value)) {
    const items: string[] = [];
    for (let i = 0; i < value.length; i++) items.push(write(value[i], `${path}[${i}]`, depth + 1));
    return `[${items.join(",")}]`;
  }
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== Object.prototype && proto !== null) throw new CanonicalError("not-json-value", path);
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[key];
    members.push(`${writeText(key, path)}:${write(member, `${path}.${key}`, depth + 1)}`);
  }
  return `{${members.join(",")}}`;
}

function writeText(text: string, path: string): string {
  if (!text.isWellFormed()) throw new CanonicalError("lone-surrogate", path);
  return JSON.stringify(text);
}

/**
 * The value of a JSON text, or undefined where it is no JSON (RFC 8259, as ECMAScript reads it) or is nested deeper than
 * `depth`. The nesting is counted in the text, before anything recurses over the value.
 */
export function parseJson(text: string, depth = MAX_DEPTH): Json | undefined {
  if (depth < text.length && isDeeper(text, depth)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Whether brackets outside of strings are nested deeper than `depth`, counted without recursion. */
export function isDeeper(text: string, depth = MAX_DEPTH): boolean {
  let level = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) i = endOfString(text, i) - 1;
    else if (unit === OPEN_OBJECT || unit === OPEN_LIST) {
      if (++level > depth) return true;
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) level--;
  }
  return false;
}

/**
 * The characters of a value inside a JSON text, as they were received: of the members and items that `path` names, the
 * last of each name, as JSON.parse takes it. Undefined where there is none. Assumes a text that JSON.parse reads.
 */
export function sourceAt(text: string, path: readonly (string | number)[]): string | undefined {
  let [start, end] = [skipSpace(text, 0), text.length];
  for (const step of path) {
    const found = childAt(text, start, step);
    if (found === undefined) return undefined;
    [start, end] = found;
  }
  return text.slice(start, end).trimEnd();
}

/** Start and end of one member or item of the object or list that begins at `open`. */
function childAt(text: string, open: number, step: string | number): readonly [number, number] | undefined {
  const isList = text[open] === "[";
  if (!isList && text[open] !== "{") return undefined;
  let found: readonly [number, number] | undefined;
  let at = open + 1;
  for (let index = 0; at < text.length; index++) {
    at = skipSpace(text, at);
    if (text[at] === "]" || text[at] === "}") break;
    let name: string | number = index;
    if (!isList) {
      const end = endOfString(text, at);
      name = JSON.parse(text.slice(at, end)) as string;
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    const end = endOfValue(text, at);
    if (name === step) found = [at, end];
    at = skipSpace(text, end);
    if (text[at] === ",") at++;
  }
  return found;
}

function endOfValue(text: string, start: number): number {
  let level = 0;
  let i = start;
  for (; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) i = endOfString(text, i) - 1;
    else if (unit === OPEN_OBJECT || unit === OPEN_LIST) level++;
    else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) {
      if (level-- === 0) return i;
    } else if (unit === COMMA && level === 0) return i;
  }
  return i;
}

/** The place behind the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === BACKSLASH) i++;
    else if (unit === QUOTE) return i + 1;
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let i = start;
  while (i < text.length && " \t\r\n".includes(text[i]!)) i++;
  return i;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/**
 * Whether `text` is exactly the canonical form of `value`, which JSON.parse made of it.
 * JSON.stringify keeps the order of the keys, so equal texts and sorted keys are enough; keys that look like
 * array indices come out in number order, and for those the slow way decides.
 */
export function isCanonical(text: string, value: Json): boolean {
  // "\\ud" may be the escape of a lone surrogate, which is never canonical: the slow way tells.
  // The nesting is checked first: JSON.stringify recurses without a bound.
  if (!text.includes("\\ud") && isPlain(value, 0) && JSON.stringify(value) === text && text.isWellFormed())
    return true;
  try {
    return canonicalize(value) === text;
  } catch {
    return false;
  }
}

/** Whether keys are sorted, numbers safe integers and nesting bounded, all the way down. */
function isPlain(value: Json, depth: number): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) if (!isPlain(item, depth + 1)) return false;
    return true;
  }
  let last: string | null = null;
  for (const key of Object.keys(value)) {
    if (last !== null && key <= last) return false;
    last = key;
    if (!isPlain((value as JsonObject)[key]!, depth + 1)) return false;
  }
  return true;
}

/** Whether a value is an object of JSON: neither null nor a list. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member of that name that the object itself holds, so that `constructor` and the like are plain text. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
