// Audit links: `<app>#/s/<session id>?…`, all of it behind the `#`, so that no server sees it. A link either reads
// as it was written or is refused with the reason; it never opens something else.

import { fromBase64url, fromHex, toBase64url, toHex } from "./bytes.ts";
import { isHash, isRef, sha256, type Address, type Hash, type Ref } from "./values.ts";
import type { Heads } from "./heads.ts";

/** Longer links are cut by chat programs. */
export const MAX_LINK = 2000;

export interface AuditLink {
  readonly session: Ref;
  /** Where the session was read, the first the main one; http or https. */
  readonly hubs: readonly string[];
  /** Verdict digest that was reached when the link was made. */
  readonly verdict?: Hash | undefined;
  /** K_d of a sealed session, 32 bytes. */
  readonly key?: Uint8Array | undefined;
  readonly heads?: Heads | undefined;
  /** Wallets whose copies are asked for where the genesis is gone: the other participants, as many as fit. */
  readonly witnesses?: readonly Address[] | undefined;
  /** What was being looked at (selected entry, cut, observer, filters): names and values, as they were. */
  readonly state: ReadonlyMap<string, string>;
}

export type LinkCode =
  | "not-a-link"
  | "shortened"
  | "encoded"
  | "too-long"
  | "bad-session"
  | "bad-parameter"
  | "bad-hub"
  | "bad-verdict"
  | "bad-key"
  | "bad-heads"
  | "bad-witnesses"
  | "damaged";

export interface BadLink {
  readonly ok: false;
  readonly code: LinkCode;
  readonly expected: string;
  readonly found: string;
}

const MARK = "#/s/";
const HUB = /^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/;
const STATE_NAME = /^[a-z][a-z-]{1,15}$/;
const RESERVED = ["hub", "v", "k", "h", "w", "c"];
/** So many witnesses are named at most: one that is honest is enough. */
export const MAX_WITNESSES = 8;

/** The part of a link from the `#` on, or why there is none (too long). */
export function writeAuditLink(link: AuditLink): { readonly ok: true; readonly hash: string } | BadLink {
  const parameters: string[] = [];
  const add = (name: string, value: string) =>
    parameters.push(`${name}=${encodeURIComponent(value).replaceAll("...", "%2E%2E%2E")}`);
  for (const hub of link.hubs) add("hub", hub);
  if (link.verdict !== undefined) add("v", link.verdict);
  if (link.key !== undefined) add("k", toBase64url(link.key));
  if (link.heads !== undefined) add("h", writeHeads(link.heads));
  if (link.witnesses !== undefined && link.witnesses.length > 0) add("w", writeWitnesses(link.witnesses));
  for (const [name, value] of link.state) add(name, value);
  const query = parameters.join("&");
  // The check stands first, so that a link cut anywhere behind it is known to be cut.
  const hash = `${MARK}${link.session}${query === "" ? "" : `?c=${checkOf(link.session, query)}&${query}`}`;
  if (hash.length > MAX_LINK) return refuse("too-long", `at most ${MAX_LINK} characters`, `${hash.length}`);
  return { ok: true, hash };
}

/** Reads a link, from any host. Links without a check (as the protocol has them) are read too. */
export function readAuditLink(text: string): ({ readonly ok: true } & AuditLink) | BadLink {
  const link = text.trim();
  if (/…|\[\.{3}\]|\.{3}$/.test(link))
    return refuse("shortened", "the whole link", "a link cut in the middle");
  const start = link.indexOf(MARK);
  if (start < 0) {
    if (/%23(\/|%2f)s(\/|%2f)/i.test(link))
      return refuse("encoded", `a link with ${MARK}`, "a percent-encoded link");
    return refuse("not-a-link", `a link with ${MARK}<session id>`, link.slice(0, 80));
  }
  if (link.length - start > MAX_LINK)
    return refuse("too-long", `at most ${MAX_LINK} characters`, `${link.length - start}`);
  const [session = "", ...rest] = link.slice(start + MARK.length).split("?");
  if (!isRef(session))
    return session.includes("%")
      ? refuse("encoded", "<address>:<seq>:<hash>", session.slice(0, 80))
      : refuse("bad-session", "<address>:<seq>:<hash>, whole", session.slice(0, 140));
  if (rest.length > 1) return refuse("bad-parameter", "one question mark", "several");
  return readQuery(session, rest[0] ?? "");
}

function readQuery(session: Ref, query: string): ({ readonly ok: true } & AuditLink) | BadLink {
  const found = new Map<string, string[]>();
  for (const pair of query === "" ? [] : query.split("&")) {
    const at = pair.indexOf("=");
    const value = at < 1 ? undefined : decode(pair.slice(at + 1));
    if (value === undefined) return refuse("bad-parameter", "name=value", pair.slice(0, 80));
    const name = pair.slice(0, at);
    if (!RESERVED.includes(name) && !STATE_NAME.test(name))
      return refuse("bad-parameter", "a known parameter", name.slice(0, 80));
    if (found.has(name) && name !== "hub") return refuse("bad-parameter", `${name} once`, "twice");
    found.set(name, [...(found.get(name) ?? []), value]);
  }
  const check = found.get("c")?.[0];
  if (check !== undefined && query !== `c=${check}&${withoutCheck(query)}`)
    return refuse("damaged", "the check before all else", "another order");
  if (check !== undefined && check !== checkOf(session, withoutCheck(query)))
    return refuse("damaged", "a link as it was written", "one that was cut or changed on its way");
  return readParameters(session, found);
}

function readParameters(
  session: Ref,
  found: ReadonlyMap<string, readonly string[]>,
): ({ readonly ok: true } & AuditLink) | BadLink {
  const hubs = found.get("hub") ?? [];
  const badHub = hubs.find((hub) => !HUB.test(hub));
  if (badHub !== undefined) return refuse("bad-hub", "an http or https address", badHub.slice(0, 80));
  const verdict = found.get("v")?.[0];
  if (verdict !== undefined && !isHash(verdict))
    return refuse("bad-verdict", "0x and 64 hex digits", verdict);
  const k = found.get("k")?.[0];
  const key = k === undefined ? undefined : fromBase64url(k);
  if (k !== undefined && key?.length !== 32)
    return refuse("bad-key", "32 bytes in base64url", `${k.length} characters`);
  const h = found.get("h")?.[0];
  const heads = h === undefined ? undefined : readHeads(h);
  if (h !== undefined && heads === undefined) return refuse("bad-heads", "counts and a hash", h.slice(0, 80));
  const w = found.get("w")?.[0];
  const witnesses = w === undefined ? undefined : readWitnesses(w);
  if (w !== undefined && witnesses === undefined)
    return refuse("bad-witnesses", "addresses in base64url", w.slice(0, 80));
  const state = new Map<string, string>();
  for (const [name, [value]] of found) if (!RESERVED.includes(name)) state.set(name, value!);
  return { ok: true, session, hubs, verdict, key, heads, witnesses, state };
}

/** Eight hex digits over what a link says: against accidents, not against intent (the verdict is what is verified). */
function checkOf(session: Ref, query: string): string {
  return sha256(`${session}?${query}`).slice(2, 10);
}

function withoutCheck(query: string): string {
  return query.replace(/^c=[^&]*&?/, "");
}

function writeHeads({ counts, hash }: Heads): string {
  return `${counts.map((count) => count.toString(36)).join(".")}~${hash.slice(2)}`;
}

function readHeads(text: string): Heads | undefined {
  const match = /^([0-9a-z]{1,4}(?:\.[0-9a-z]{1,4})*)~([0-9a-f]{64})$/.exec(text);
  if (match === null) return undefined;
  return { counts: match[1]!.split(".").map((count) => Number.parseInt(count, 36)), hash: `0x${match[2]!}` };
}

const ADDRESS_BYTES = 20;

function writeWitnesses(witnesses: readonly Address[]): string {
  const named = witnesses.slice(0, MAX_WITNESSES).map((wallet) => wallet.slice(2));
  return toBase64url(fromHex(`0x${named.join("")}`));
}

/** The wallets in a link's `w=`; undefined where it is malformed. */
export function readWitnesses(text: string): readonly Address[] | undefined {
  const bytes = fromBase64url(text);
  if (bytes === undefined || bytes.length === 0 || bytes.length % ADDRESS_BYTES !== 0) return undefined;
  const count = bytes.length / ADDRESS_BYTES;
  if (count > MAX_WITNESSES) return undefined;
  return Array.from({ length: count }, (_, i) =>
    toHex(bytes.subarray(i * ADDRESS_BYTES, (i + 1) * ADDRESS_BYTES)),
  );
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function refuse(code: LinkCode, expected: string, found: string): BadLink {
  return { ok: false, code, expected, found };
}
