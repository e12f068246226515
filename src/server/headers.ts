// Headers of every answer. The page's policy (CSP level 3) lets it run its own scripts, styles, workers and
// WebAssembly and nothing inline; it may connect anywhere, because people name their own Hubs and relays.
// Framing: only `/embed` may be framed. A fragment is not sent, so the path is what tells an embedded page apart.

import { PAGE_POLICY } from "./page-policy.ts";

const SHARED = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": [
    ...["accelerometer", "browsing-topics", "camera", "display-capture", "geolocation", "gyroscope"],
    ...["hid", "microphone", "midi", "payment", "screen-wake-lock", "serial", "usb"],
  ]
    .map((feature) => `${feature}=()`)
    .join(", "),
};

/** For a Hub behind TLS alone: a year, of this host. */
export const TRANSPORT_SECURITY = "max-age=31536000";

/** For the app's pages and files. */
export const PAGE_HEADERS = {
  ...SHARED,
  "content-security-policy": `${PAGE_POLICY}; frame-ancestors 'none'`,
  "cross-origin-resource-policy": "same-origin",
};

/** For `/embed`, which shows a verdict and holds no keys, so every site may frame it. */
export const EMBED_HEADERS = {
  ...SHARED,
  "content-security-policy": `${PAGE_POLICY}; frame-ancestors *`,
  "cross-origin-resource-policy": "cross-origin",
};

/**
 * For the Hub's answers: data, never a page. Any origin may call (Fetch standard, CORS): a write is signed by its
 * author and there are no cookies, so an origin carries no authority here.
 */
export const API_HEADERS = {
  ...SHARED,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Date, Retry-After",
  "cross-origin-resource-policy": "cross-origin",
  "cache-control": "no-store",
};

export const PREFLIGHT_HEADERS = {
  ...API_HEADERS,
  "access-control-allow-methods": "GET, HEAD, PUT, DELETE",
  "access-control-allow-headers": "authorization, content-type",
  "access-control-max-age": "86400",
};

/** For a value under a key of logs and mirrors, which no later write can change: any cache may keep it for good. */
export const LASTING_HEADERS = { "cache-control": "public, max-age=31536000, immutable" };
