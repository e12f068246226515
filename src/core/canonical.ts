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
const MAX_DEPTH = 64;

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

/** The value of a JSON text, or undefined where it is no JSON (RFC 8259, as ECMAScript reads it). */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/**
 * Whether `text` is exactly the canonical form of `value`, which JSON.parse made of it.
 * JSON.stringify keeps the order of the keys, so equal texts and sorted keys are enough; keys that look like
 * array indices come out in number order, and for those the slow way decides.
 */
export function isCanonical(text: string, value: Json): boolean {
  // "\\ud" may be the escape of a lone surrogate, which is never canonical: the slow way tells.
  if (!text.includes("\\ud") && JSON.stringify(value) === text && isPlain(value, 0) && text.isWellFormed())
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
