// Searches stored bytes and relay frames of private sessions for the plain text of a move.

import { isObject, own, parseJson } from "../core/canonical.ts";
import type { Hub } from "../hub/hub.ts";

/** Members that the bodies of moves have; none of them stands in an invite, an accept or a genesis. */
const MOVE_MEMBERS = /"(commitment|salt|value|choice|amount|round)"/;
const OPEN_TYPES = ["invite", "accept", "genesis", "evidence"];

/** What of the texts shows a move: a member of a move's body, or an entry of the session whose body is not sealed. */
export function plainMovesIn(texts: Iterable<string>): string[] {
  return [...texts].filter((text) => {
    if (MOVE_MEMBERS.test(text)) return true;
    const entry = parseJson(text);
    const type = isObject(entry) ? own(entry, "type") : undefined;
    if (typeof type !== "string" || OPEN_TYPES.includes(type)) return false;
    const body = isObject(entry) ? own(entry, "body") : undefined;
    return !isObject(body) || Object.keys(body).join() !== "sealed";
  });
}

/** A Hub that remembers every text that was ever written to it. */
export function recordingHub(inner: Hub): { readonly hub: Hub; readonly written: readonly string[] } {
  const written: string[] = [];
  const hub: Hub = {
    name: inner.name,
    put: (signer, key, value) => {
      written.push(new TextDecoder().decode(value));
      return inner.put(signer, key, value);
    },
    get: (...args) => inner.get(...args),
    page: (...args) => inner.page(...args),
    ping: (...args) => inner.ping(...args),
  };
  return { hub, written };
}
