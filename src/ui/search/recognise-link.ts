// One of this app's links, from whatever host: only what lies behind `#` names a route, and it is opened here.

import { parseRoute, type Route } from "../routing/routes.ts";
import { refuse, formatRef, type Recognised } from "./recognise.ts";

/** Assumes a text without spaces that has a scheme or a `#`. */
export function recogniseLink(text: string): Recognised {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && !["http", "https", "file"].includes(scheme) && !text.startsWith("#"))
    return refuse(`A link of the kind ${scheme}: is not opened here.`);
  const hash = text.indexOf("#");
  if (hash < 0)
    return refuse(
      /%23/.test(text)
        ? "The # in the link is percent-encoded; copy the link as it was."
        : "A link names its page behind the #, and this one names none. It may have been cut.",
    );
  if (text.indexOf("#", hash + 1) >= 0) return refuse("The link has two # signs.");
  const route = parseRoute(text.slice(hash));
  if (route.page === "bad") return refuse(route.why);
  if (route.page === "home") return refuse("The link leads only to the start page: it names no session.");
  // Opened exactly as it was written: an audit link carries a check over its own text.
  return { kind: "route", says: formatRoute(route), route: text.slice(hash) };
}

function formatRoute(route: Route): string {
  switch (route.page) {
    case "sample":
      return "A link to an example";
    case "session":
      return route.params.has("v") ? "An audit link" : "A link to a session";
    case "board":
      return "A link to a session’s board";
    case "embed":
      return "A link to a session’s verdict";
    case "wallet":
      return "A link to a wallet’s log";
    case "join":
      return `An invitation: ${formatRef(route.invite).toLowerCase()}`;
    case "compare":
      return "A link to a comparison";
    default:
      return "A link to a page of this app";
  }
}
