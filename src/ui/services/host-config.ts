// What the host that served the page announces in the page itself or in `config.json` beside it: its Hub, its relay, its
// bot. A host without either (a plain file server, a file on disk) means that the page is on its own.

import { isObject, own, parseJson } from "../../core/canonical.ts";
import { isAddress, type Address } from "../../core/values.ts";
import { errorText } from "../../platform/coded-error.ts";

export interface HostConfig {
  /** URL of the Hub, or null where the host has none. */
  readonly hub: string | null;
  /** ws: or wss: URL of the relay, or null. */
  readonly relay: string | null;
  readonly bot: { readonly address: Address; readonly games: readonly string[] } | null;
}

export type ReadHost =
  | { readonly kind: "hosted"; readonly config: HostConfig }
  /** There is no such file, or it is no config: the page is on its own. */
  | { readonly kind: "alone" }
  /** The host does not answer: the page may have come from a cache. */
  | { readonly kind: "unreachable"; readonly why: string };

/** The config that the server wrote into the page, in its `meta` element named `coop-config`; null where there is none. */
export function configInPage(document: Pick<Document, "querySelector">): string | null {
  return document.querySelector('meta[name="coop-config"]')?.getAttribute("content") ?? null;
}

/** Takes the config out of the page at `page` (its URL without the hash), else reads `config.json` beside it. */
export async function readHost(
  fetch: (url: string) => Promise<{ readonly ok: boolean; text(): Promise<string> }>,
  page: string,
  inPage: string | null = null,
): Promise<ReadHost> {
  if (!/^https?:/.test(page)) return { kind: "alone" };
  const written = inPage === null ? undefined : readConfig(inPage, page);
  if (written !== undefined) return { kind: "hosted", config: written };
  try {
    const answer = await fetch(new URL("config.json", page).href);
    if (!answer.ok) return { kind: "alone" };
    const config = readConfig(await answer.text(), page);
    return config === undefined ? { kind: "alone" } : { kind: "hosted", config };
  } catch (error) {
    return { kind: "unreachable", why: errorText(error) };
  }
}

/** The config out of a text, its paths made whole; undefined where it is none (a page served for every path, say). */
export function readConfig(text: string, page: string): HostConfig | undefined {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const bot = own(value, "bot");
  const address = isObject(bot) ? own(bot, "address") : undefined;
  const games = isObject(bot) ? own(bot, "games") : undefined;
  return {
    hub: urlOf(own(value, "hub"), page, false),
    relay: urlOf(own(value, "relay"), page, true),
    bot: isAddress(address)
      ? { address, games: Array.isArray(games) ? games.filter((g) => typeof g === "string") : ["rps"] }
      : null,
  };
}

/** A URL or path as a whole URL; for a relay, of the WebSocket kind. Null where it is none. */
export function urlOf(value: unknown, page: string, socket: boolean): string | null {
  if (typeof value !== "string" || value === "" || !URL.canParse(value, page)) return null;
  const url = new URL(value, page);
  if (socket) url.protocol = url.protocol === "https:" || url.protocol === "wss:" ? "wss:" : "ws:";
  if (!socket && !/^https?:$/.test(url.protocol)) return null;
  return url.href.replace(/\/+$/, "");
}
