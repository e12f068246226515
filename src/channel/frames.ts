// The wire form of the Channel (protocol section 8): JSON text frames, the same codec for client and relay.
// Decoding never throws: a malformed frame is data, a code of a closed union and the place that was wrong.
// Members that the protocol doesn't name are ignored; topics and refs are passed on only when well formed.

import { fromUtf8, utf8Length } from "../core/bytes.ts";
import { isObject, own, parseJson, type Json, type JsonObject } from "../core/canonical.ts";
import { isAddress, isRef, type Ref } from "../core/values.ts";
import type { Topic } from "./channel.ts";

/** Bytes of UTF-8 that a frame may have, either way. */
export const MAX_FRAME = 4096;
/** Topics that one connection may subscribe to. */
export const MAX_TOPICS = 1024;
/** Refs of a topic that are kept for whoever subscribes later. */
export const RETAINED_REFS = 64;

export type BadFrameCode =
  | "too-large" // more than 4 KiB
  | "not-text" // a binary frame
  | "not-utf8"
  | "not-json"
  | "not-an-object"
  | "unknown-op"
  | "bad-topics" // of sub and unsub: no list, or an empty one
  | "bad-topic" // neither a ref, an address nor `lobby`
  | "bad-ref"
  | "bad-error"; // an error frame without a code

/** What a relay may answer besides: a limit was reached. */
export type LimitCode = "too-many-topics" | "rate-limited";

export interface BadFrame {
  readonly op: "bad";
  readonly code: BadFrameCode;
  /** The member that was wrong, `$` for the whole frame. */
  readonly at: string;
}

export type ClientFrame =
  | { readonly op: "sub" | "unsub"; readonly topics: readonly Topic[] }
  | { readonly op: "pub"; readonly topic: Topic; readonly ref: Ref };

export type ServerFrame =
  | { readonly op: "ref"; readonly topic: Topic; readonly ref: Ref }
  /** A relay of other make may have other codes: any text. */
  | { readonly op: "error"; readonly code: string; readonly message: string };

/** A session id, an invite's ref, a wallet address (an inbox), or `lobby`. */
export function isTopic(value: unknown): value is Topic {
  return value === "lobby" || isAddress(value) || isRef(value);
}

/** A client's frame as a relay receives it: text, or the bytes of a text frame; `binary` as the socket says. */
export function decodeClientFrame(data: string | Uint8Array, binary = false): ClientFrame | BadFrame {
  const read = readObject(data, binary);
  if (!read.ok) return read.bad;
  const { frame } = read;
  const op = own(frame, "op");
  if (op === "pub") return readRef(frame, "pub");
  if (op !== "sub" && op !== "unsub") return bad("unknown-op", "op");
  const topics = own(frame, "topics");
  if (!isList(topics) || topics.length === 0) return bad("bad-topics", "topics");
  for (let i = 0; i < topics.length; i++) if (!isTopic(topics[i])) return bad("bad-topic", `topics[${i}]`);
  return { op, topics: topics as readonly Topic[] };
}

/** A relay's frame as a client receives it: whatever a socket's message event holds. */
export function decodeServerFrame(data: unknown): ServerFrame | BadFrame {
  const read = readObject(data, typeof data !== "string");
  if (!read.ok) return read.bad;
  const { frame } = read;
  const op = own(frame, "op");
  if (op === "ref") return readRef(frame, "ref");
  if (op !== "error") return bad("unknown-op", "op");
  const code = own(frame, "code");
  const message = own(frame, "message");
  if (typeof code !== "string") return bad("bad-error", "code");
  return { op, code, message: typeof message === "string" ? message : "" };
}

/** `sub` or `unsub` of any number of topics, in as many frames as the size limit asks for. */
export function encodeTopics(op: "sub" | "unsub", topics: readonly Topic[]): readonly string[] {
  const frames: string[] = [];
  const frame = (part: readonly Topic[]): string => JSON.stringify({ op, topics: part });
  const empty = frame([]).length;
  let part: Topic[] = [];
  let size = empty;
  for (const topic of topics) {
    const more = topic.length + 3; // quotes and comma; topics are ASCII
    if (part.length > 0 && size + more > MAX_FRAME) {
      frames.push(frame(part));
      part = [];
      size = empty;
    }
    part.push(topic);
    size += more;
  }
  if (part.length > 0) frames.push(frame(part));
  return frames;
}

export function encodePub(topic: Topic, ref: Ref): string {
  return `{"op":"pub","topic":"${topic}","ref":"${ref}"}`; // both are plain ASCII by their grammar
}

export function encodeRef(topic: Topic, ref: Ref): string {
  return `{"op":"ref","topic":"${topic}","ref":"${ref}"}`;
}

export function encodeError(code: BadFrameCode | LimitCode, at?: string): string {
  const message = at === undefined || at === "$" ? MESSAGES[code] : `${MESSAGES[code]} (${at})`;
  return JSON.stringify({ op: "error", code, message });
}

/** A sentence for each code; none repeats what the frame held. */
const MESSAGES: { readonly [code in BadFrameCode | LimitCode]: string } = {
  "too-large": `a frame has at most ${MAX_FRAME} bytes`,
  "not-text": "frames are text",
  "not-utf8": "the frame is not valid UTF-8",
  "not-json": "the frame is not JSON",
  "not-an-object": "the frame is not a JSON object",
  "unknown-op": "op is none of sub, unsub, pub",
  "bad-topics": "topics is a list of at least one topic",
  "bad-topic": "a topic is a ref, an address or lobby",
  "bad-ref": "a ref is <address>:<seq>:<hash>",
  "bad-error": "an error frame has a code",
  "too-many-topics": `a connection has at most ${MAX_TOPICS} topics; nothing of this frame was subscribed`,
  "rate-limited": "too many frames; this one was dropped",
};

type Read =
  { readonly ok: true; readonly frame: JsonObject } | { readonly ok: false; readonly bad: BadFrame };

function readObject(data: unknown, binary: boolean): Read {
  const refuse = (code: BadFrameCode): Read => ({ ok: false, bad: bad(code, "$") });
  if (binary || !(typeof data === "string" || data instanceof Uint8Array)) return refuse("not-text");
  if (data.length > MAX_FRAME) return refuse("too-large");
  const text = typeof data === "string" ? data : fromUtf8(data);
  if (text === undefined) return refuse("not-utf8");
  if (text.length * 3 > MAX_FRAME && utf8Length(text) > MAX_FRAME) return refuse("too-large");
  const value = parseJson(text);
  if (value === undefined) return refuse("not-json");
  return isObject(value) ? { ok: true, frame: value } : refuse("not-an-object");
}

function readRef<O extends "pub" | "ref">(
  frame: JsonObject,
  op: O,
): { readonly op: O; readonly topic: Topic; readonly ref: Ref } | BadFrame {
  const topic = own(frame, "topic");
  const ref = own(frame, "ref");
  if (!isTopic(topic)) return bad("bad-topic", "topic");
  return isRef(ref) ? { op, topic, ref } : bad("bad-ref", "ref");
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function bad(code: BadFrameCode, at: string): BadFrame {
  return { op: "bad", code, at };
}
