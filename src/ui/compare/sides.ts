// The two sides of a comparison as they stand in the address: a session, where to read it, and through whose eyes.
// Pure. A file has no address: it is chosen anew after a reload, and the page says so.

import { readAuditLink } from "../../core/audit-link.ts";
import { isAddress, isRef, type Address, type Ref } from "../../core/values.ts";
import type { SideName } from "../../audit/compare-views.ts";
import { whyBadLink, whyNoRef } from "../routing/routes.ts";

export interface Side {
  readonly session: Ref | null;
  /** URL of the Hub to read; null for the records at hand, else this app's Hub. */
  readonly hub: string | null;
  /** Only what this participant had seen when it last wrote. */
  readonly seen: Address | null;
  /** K_d of a sealed session, base64url. */
  readonly key: string | null;
}

export const EMPTY_SIDE: Side = { session: null, hub: null, seen: null, key: null };

const HUB = /^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/;

/** Reading never fails: what is malformed counts as not given. */
export function readSide(params: URLSearchParams, name: SideName): Side {
  const [session, hub, seen] = [params.get(name), params.get(`${name}-hub`), params.get(`${name}-seen`)];
  return {
    session: isRef(session) ? session : null,
    hub: hub !== null && HUB.test(hub) ? hub : null,
    seen: isAddress(seen) ? seen : null,
    key: params.get(`${name}-k`),
  };
}

export function withSide(params: URLSearchParams, name: SideName, side: Side): URLSearchParams {
  const next = new URLSearchParams(params);
  const set = (key: string, value: string | null) => {
    if (value === null) next.delete(key);
    else next.set(key, value);
  };
  set(name, side.session);
  set(`${name}-hub`, side.hub);
  set(`${name}-seen`, side.seen);
  set(`${name}-k`, side.key);
  return next;
}

/** The sides changed about. */
export function swapSides(params: URLSearchParams): URLSearchParams {
  const [a, b] = [readSide(params, "a"), readSide(params, "b")];
  return withSide(withSide(params, "a", b), "b", a);
}

/** A typed or pasted session: its id, or an audit link with its Hub and key. */
export function parseSide(text: string): Side | { readonly why: string } {
  const typed = text.trim();
  if (typed === "") return EMPTY_SIDE;
  if (typed.includes("#")) {
    const link = readAuditLink(typed);
    if (!link.ok) return { why: whyBadLink(link) };
    const key = /[?&]k=([A-Za-z0-9_-]+)/.exec(typed)?.[1] ?? null;
    return { session: link.session, hub: link.hubs[0] ?? null, seen: null, key };
  }
  if (!isRef(typed)) return { why: whyNoRef(typed, "session") };
  return { ...EMPTY_SIDE, session: typed };
}

/** A typed Hub: its URL, or nothing for the records at hand. */
export function parseHub(text: string): string | null | { readonly why: string } {
  const typed = text.trim().replace(/\/+$/, "");
  if (typed === "") return null;
  return HUB.test(typed) ? typed : { why: "A Hub’s address begins with http:// or https://." };
}
