// The routes of the app: the part of the address behind `#`, which no server sees. Parsing says why a route is
// invalid and never guesses another one. Every route has exactly one spelling, which `formatRoute` gives.

import { readAuditLink, type BadLink } from "../../core/audit-link.ts";
import { isAddress, isRef, parseTypedAddress, type Address, type Ref } from "../../core/values.ts";

export type Route =
  | { readonly page: "home" }
  | { readonly page: "session"; readonly session: Ref; readonly params: URLSearchParams }
  /** One of the sessions that come with the app, by the name of its file. */
  | { readonly page: "sample"; readonly name: string; readonly params: URLSearchParams }
  | { readonly page: "board"; readonly session: Ref; readonly params: URLSearchParams }
  | { readonly page: "embed"; readonly session: Ref; readonly params: URLSearchParams }
  | { readonly page: "wallet"; readonly address: Address; readonly params: URLSearchParams }
  | { readonly page: "play"; readonly params: URLSearchParams }
  | { readonly page: "join"; readonly invite: Ref; readonly params: URLSearchParams }
  | { readonly page: "compare"; readonly params: URLSearchParams }
  | { readonly page: "settings" };

export interface BadRoute {
  readonly page: "bad";
  readonly hash: string;
  readonly why: string;
}

/** The route that a location hash names (`#/s/…`), or why it names none. */
export function parseRoute(hash: string): Route | BadRoute {
  const bad = (why: string): BadRoute => ({ page: "bad", hash, why });
  const text = hash.startsWith("#") ? hash.slice(1) : hash;
  if (text === "" || text === "/") return { page: "home" };
  const cut = text.indexOf("?");
  const path = cut < 0 ? text : text.slice(0, cut);
  const params = readParams(cut < 0 ? "" : text.slice(cut + 1));
  if (params === undefined) return bad("What follows the ? in the link is damaged: it may have been cut.");
  const [first, ...parts] = path.split("/");
  if (first !== "") return bad("A page of this app begins with #/.");
  const [name, value, rest, ...more] = parts;
  if (more.length > 0) return bad("The link has more parts than any page of this app.");
  if (name === "embed") return value === "s" ? sessionRoute("embed", rest, params, bad) : bad(NO_PAGE);
  if (name === "s" && rest === "play") return sessionRoute("board", value, params, bad);
  if (rest !== undefined) return bad("The link has more parts than any page of this app.");
  if (name === "s") return sessionRoute("session", value, params, bad);
  if (name === "sample")
    return SAMPLE_NAME.test(value ?? "")
      ? { page: "sample", name: value!, params }
      : bad("The link names no example: it must be #/sample/ and the example's name.");
  if (name === "w") return walletRoute(value, params, bad);
  if (name === "join")
    return isRef(value) ? { page: "join", invite: value, params } : bad(whyNoRef(value, "invite"));
  if (value !== undefined) return bad(NO_PAGE);
  if (name === "play" || name === "compare") return { page: name, params };
  return name === "settings" ? { page: "settings" } : bad(NO_PAGE);
}

const SAMPLE_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
const NO_PAGE = "There is no such page in this app.";

function sessionRoute(
  page: "session" | "board" | "embed",
  value: string | undefined,
  params: URLSearchParams,
  bad: (why: string) => BadRoute,
): Route | BadRoute {
  if (!isRef(value)) return bad(whyNoRef(value, "session"));
  if (page === "board") return { page, session: value, params };
  const link = readAuditLink(`#/s/${value}${queryOf(bad("").hash)}`);
  return link.ok ? { page, session: value, params } : bad(whyBadLink(link));
}

function queryOf(hash: string): string {
  const cut = hash.indexOf("?");
  return cut < 0 ? "" : hash.slice(cut);
}

/** Why an audit link is refused, for people. */
export function whyBadLink({ code, expected, found }: BadLink): string {
  switch (code) {
    case "damaged":
      return "The link is not as it was written: it was cut or changed on its way.";
    case "shortened":
      return "The link was shortened in the middle, so it names nothing for certain.";
    case "encoded":
      return "The link was percent-encoded on its way; copy it as it was.";
    case "too-long":
      return `The link is longer than any that this app writes: ${found} characters, ${expected}.`;
    case "bad-verdict":
      return "The verdict digest in the link (v=) is not whole: the link may have been cut.";
    case "bad-key":
      return "The key in the link (k=) is not whole: the link may have been cut.";
    default:
      return `The link is damaged: expected ${expected}, found ${found}.`;
  }
}

/** The parameters behind the `?`, read as they are written (`+` is a plus sign); undefined where one does not decode. */
function readParams(text: string): URLSearchParams | undefined {
  const params = new URLSearchParams();
  for (const pair of text === "" ? [] : text.split("&")) {
    const at = pair.indexOf("=");
    try {
      params.append(
        decodeURIComponent(at < 0 ? pair : pair.slice(0, at)),
        at < 0 ? "" : decodeURIComponent(pair.slice(at + 1)),
      );
    } catch {
      return undefined;
    }
  }
  return params;
}

function walletRoute(
  value: string | undefined,
  params: URLSearchParams,
  bad: (why: string) => BadRoute,
): Route | BadRoute {
  const typed = parseTypedAddress(value ?? "");
  if (typed.ok) return { page: "wallet", address: typed.address, params };
  if (typed.code === "bad-checksum")
    return bad("The letter case of this address does not fit its checksum (EIP-55): a digit may be wrong.");
  return bad("This is no address: it must be 0x and 40 hexadecimal digits.");
}

/** Why a text is no ref: which of its three parts is wrong, and how. */
export function whyNoRef(value: string | undefined, what: "session" | "invite" | "entry"): string {
  if (value === undefined || value === "") return `The link names no ${what}.`;
  if (/…|\[|\.\.\./.test(value))
    return `The ${what} id was shortened in the middle, so it names nothing for certain.`;
  if (/%[0-9a-f]{2}/i.test(value))
    return `The ${what} id is percent-encoded; it is written with plain colons.`;
  const parts = value.split(":");
  if (parts.length !== 3)
    return `A ${what} id has three parts, <address>:<seq>:<hash>; this has ${parts.length}.`;
  const [address = "", seq = "", hash = ""] = parts;
  if (!isAddress(address)) return `The address in the ${what} id ${whyNoHex(address, 40)}.`;
  if (!/^(0|[1-9][0-9]{0,15})$/.test(seq) || !Number.isSafeInteger(Number(seq)))
    return `The number in the ${what} id is no place in a log.`;
  return `The hash in the ${what} id ${whyNoHex(hash, 64)}.`;
}

function whyNoHex(text: string, digits: number): string {
  if (!text.startsWith("0x")) return "does not begin with 0x";
  const found = text.length - 2;
  const odd = /[^0-9a-f]/.exec(text.slice(2));
  if (odd !== null && /[A-F]/.test(odd[0])) return "has capital letters; ids are written in lower case";
  if (odd !== null) return `ends in or holds a character that is no hexadecimal digit (“${odd[0]}”)`;
  return found < digits
    ? `is ${digits - found} ${digits - found === 1 ? "digit" : "digits"} short: it may have been cut`
    : `has ${found - digits} ${found - digits === 1 ? "digit" : "digits"} too many`;
}

/** The hash of a route, `#` included: the one spelling of it. */
export function formatRoute(route: Route): string {
  switch (route.page) {
    case "home":
      return "#/";
    case "session":
      return `#/s/${route.session}${query(route.params)}`;
    case "sample":
      return `#/sample/${route.name}${query(route.params)}`;
    case "board":
      return `#/s/${route.session}/play${query(route.params)}`;
    case "embed":
      return `#/embed/s/${route.session}${query(route.params)}`;
    case "wallet":
      return `#/w/${route.address}${query(route.params)}`;
    case "join":
      return `#/join/${route.invite}${query(route.params)}`;
    case "settings":
      return "#/settings";
    default:
      return `#/${route.page}${query(route.params)}`;
  }
}

function query(params: URLSearchParams): string {
  // As encodeURIComponent has it, so that a space is never a plus sign; colons and slashes stay readable.
  const plain = (text: string) => encodeURIComponent(text).replaceAll("%3A", ":").replaceAll("%2F", "/");
  const pairs = [...params].map(([name, value]) => `${plain(name)}=${plain(value)}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/** What the window is called there: a title that makes sense in a list of tabs. */
export function titleOf(route: Route | BadRoute): string {
  const app = "Coop Explorer";
  const short = (ref: Ref) => ref.slice(-64, -56);
  switch (route.page) {
    case "session":
      return `Session ${short(route.session)} · ${app}`;
    case "sample":
      return `Example ${route.name} · ${app}`;
    case "board":
      return `Board ${short(route.session)} · ${app}`;
    case "embed":
      return `Verdict ${short(route.session)} · ${app}`;
    case "wallet":
      return `Wallet ${route.address.slice(0, 8)}… · ${app}`;
    case "play":
      return `Play · ${app}`;
    case "join":
      return `Invitation · ${app}`;
    case "compare":
      return `Compare · ${app}`;
    case "settings":
      return `Settings · ${app}`;
    default:
      return app;
  }
}

const NONE = new URLSearchParams();

/** Short ways to the common routes. */
export const to = {
  home: (): string => "#/",
  session: (session: Ref, params: URLSearchParams = NONE): string =>
    formatRoute({ page: "session", session, params }),
  sample: (name: string, params: URLSearchParams = NONE): string =>
    formatRoute({ page: "sample", name, params }),
  board: (session: Ref, params: URLSearchParams = NONE): string =>
    formatRoute({ page: "board", session, params }),
  wallet: (address: Address, params: URLSearchParams = NONE): string =>
    formatRoute({ page: "wallet", address, params }),
  join: (invite: Ref, params: URLSearchParams = NONE): string =>
    formatRoute({ page: "join", invite, params }),
  play: (params: URLSearchParams = NONE): string => formatRoute({ page: "play", params }),
  compare: (params: URLSearchParams = NONE): string => formatRoute({ page: "compare", params }),
  settings: (): string => "#/settings",
};
