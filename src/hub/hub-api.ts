// The Hub's HTTP interface, shared by client and server: paths, keys, the forms of what is sent.
// Reading by owner and key needs no bucket; one is named only because the path has a place for it.

import { utf8Length } from "../core/bytes.ts";
import { canonicalize, isObject, own, parseJson, type Json } from "../core/canonical.ts";
import { isAddress, type Address } from "../core/values.ts";
import type { Receipt } from "./hub.ts";

/** Entries of one page of a conversation, unless asked otherwise. */
export const PAGE_LENGTH = 1024;
export const MAX_KEY_BYTES = 1024;
export const MAX_BUCKET_BYTES = 128;
/** The one kind of bucket that this protocol uses. */
export const BUCKET_KIND = "memory";

/** Why a text can be no key, or undefined where it can. `.` and `..` cannot be sent: every URL parser resolves them. */
export function keyFault(key: string): string | undefined {
  if (key === "") return "a key is not empty";
  if (key === "." || key === "..") return `a key is not "${key}"`;
  if (!key.isWellFormed()) return "a key is valid Unicode";
  if (utf8Length(key) > MAX_KEY_BYTES) return `a key has at most ${MAX_KEY_BYTES} bytes`;
  return undefined;
}

/** The bucket an address writes into; with `suffix` (8 random hex digits) where another owner has taken the first. */
export function bucketOf(address: Address, suffix?: string): string {
  return suffix === undefined ? `coop-${address}` : `coop-${address}-${suffix}`;
}

/** The only address that may make a bucket of that name, or undefined where any may. */
export function bucketReservedFor(bucket: string): Address | undefined {
  const address = /^coop-(0x[0-9a-f]{40})/i.exec(bucket)?.[1]?.toLowerCase();
  return isAddress(address) ? address : undefined;
}

/**
 * With `absent=200` a read of content asks for status 200 where nothing is there (rule H9): browsers log a 404 as an
 * error. A Hub that does not know it answers 404.
 */
export const ABSENT = "absent";

/** Type of the error body for what is not there. */
export const NOT_FOUND = "NotFound";

const ABSENCE_START = `{"Type":"${NOT_FOUND}"`;

/**
 * What an answer of status 200 to such a read is; `type` is its content type. `cut`: the beginning of an error body whose
 * end was lost on the way, which is no value either.
 */
export function readAbsence(type: string | null, text: string): "absent" | "cut" | "value" {
  if (type?.startsWith("application/json") !== true) return "value";
  const value = parseJson(text);
  if (isObject(value) && own(value, "Type") === NOT_FOUND && typeof own(value, "Message") === "string")
    return "absent";
  const isStart = text.startsWith(ABSENCE_START) || ABSENCE_START.startsWith(text);
  return value === undefined && isStart ? "cut" : "value";
}

/** Paths below the Hub's URL, each component percent-encoded (RFC 3986, section 2.1). */
export const paths = {
  info: "/v1/info",
  bucket: (bucket: string) => `/v1/buckets/${encodeURIComponent(bucket)}`,
  object: (bucket: string, key: string, owner?: Address) =>
    `/v1/buckets/${encodeURIComponent(bucket)}/objects/${encodeURIComponent(key)}${ownerQuery(owner)}`,
  content: (bucket: string, key: string, owner: Address) =>
    `/v1/buckets/${encodeURIComponent(bucket)}/objects/${encodeURIComponent(key)}/content${ownerQuery(owner)}&${ABSENT}=200`,
  conversation: (owner: Address, id: string, offset: number, length: number) =>
    `/v1/conversations/${encodeURIComponent(id)}?owner=${owner}&offset=${offset}&length=${length}`,
};

function ownerQuery(owner: Address | undefined): string {
  return owner === undefined ? "" : `?owner=${owner}`;
}

export type HubRoute =
  | { readonly at: "info" }
  | { readonly at: "bucket"; readonly bucket: string }
  | { readonly at: "object" | "content"; readonly bucket: string; readonly key: string }
  | { readonly at: "conversation"; readonly id: string };

/** The route of a raw path (no query), `null` where there is none, or a text saying what is wrong with it. */
export function parsePath(path: string): HubRoute | null | string {
  const parts = path.split("/");
  if (parts[0] !== "" || parts[1] !== "v1") return null;
  const decoded: string[] = [];
  for (const part of parts.slice(2)) {
    const text = decode(part);
    if (text === undefined) return "the path is not percent-encoded UTF-8";
    decoded.push(text);
  }
  const [what, first, inside, key, rest] = decoded;
  if (what === "info" && decoded.length === 1) return { at: "info" };
  if (what === "conversations" && decoded.length === 2)
    return first === "" || utf8Length(first!) > MAX_KEY_BYTES
      ? `a conversation has a name of 1 to ${MAX_KEY_BYTES} bytes`
      : { at: "conversation", id: first! };
  if (what !== "buckets" || first === undefined) return null;
  if (first === "" || first === "." || first === ".." || utf8Length(first) > MAX_BUCKET_BYTES)
    return `a bucket has a name of 1 to ${MAX_BUCKET_BYTES} bytes`;
  if (decoded.length === 2) return { at: "bucket", bucket: first };
  if (inside !== "objects" || key === undefined) return null;
  if (decoded.length > 5 || (decoded.length === 5 && rest !== "content")) return null;
  return keyFault(key) ?? { at: decoded.length === 5 ? "content" : "object", bucket: first, key };
}

function decode(part: string): string | undefined {
  if (!part.includes("%")) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** The conversation that a key begins, up to its first `_`: all longer ones lie within it. */
export function conversationHead(key: string): string | undefined {
  const at = key.indexOf("_");
  return at < 1 ? undefined : key.slice(0, at);
}

/** Error body `{Type, Message}`. */
export function errorBody(type: string, message: string): string {
  return canonicalize({ Type: type, Message: message.toWellFormed() });
}

/** Whether a text has the form of an error body: an object with a text under `Message`. */
export function isErrorBody(text: string): boolean {
  return messageOf(text) !== undefined;
}

/** `Message` of an error body, or the beginning of whatever came instead. */
export function readErrorMessage(text: string): string {
  return (messageOf(text) ?? text).slice(0, 200);
}

function messageOf(text: string): string | undefined {
  const value = parseJson(text);
  const message = isObject(value) ? (own(value, "Message") ?? own(value, "message")) : undefined;
  return typeof message === "string" ? message : undefined;
}

/** The receipt in an answer, or undefined where it has not the form of one. */
export function readReceipt(value: Json | undefined): Receipt | undefined {
  if (!isObject(value)) return undefined;
  const bucket = own(value, "bucket");
  const key = own(value, "key");
  const size = own(value, "size");
  const status = own(value, "status");
  const createdAt = own(value, "createdAt");
  const sha256 = own(value, "sha256");
  if (typeof bucket !== "string" || typeof key !== "string") return undefined;
  return {
    bucket,
    key,
    size: typeof size === "number" ? size : 0,
    status: typeof status === "string" ? status : "",
    ...(typeof createdAt === "string" && { createdAt }),
    ...(typeof sha256 === "string" && { sha256 }),
  };
}

/**
 * The messages of a conversation's answer, or undefined where it has not the form of one. `null` for the list is
 * an empty one; what is no text counts as an empty text, so that the number of messages stays right.
 */
export function readMessages(value: Json | undefined): string[] | undefined {
  if (!isObject(value)) return undefined;
  const messages = own(value, "messages");
  if (messages === null || messages === undefined) return [];
  if (!Array.isArray(messages)) return undefined;
  return (messages as readonly Json[]).map((message) => (typeof message === "string" ? message : ""));
}
