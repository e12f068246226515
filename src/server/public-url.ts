// Where the server is reached from outside, and the request's own word on it. A proxy may take the prefix off or leave
// it: both come to the same route.

import type { IncomingMessage } from "node:http";

export class PublicUrl {
  /** Authority that sign-ins must name; undefined: the one that each request names. */
  readonly host: string | undefined;
  /** Path of the app without a final slash, `""` at the root. */
  readonly prefix: string;
  readonly isSecure: boolean;

  /** @throws where the text is no http or https URL of a folder */
  constructor(text: string | undefined) {
    const url = text === undefined ? undefined : readUrl(text);
    this.host = url?.host;
    this.prefix = url?.pathname.replace(/\/+$/, "") ?? "";
    this.isSecure = url?.protocol === "https:";
  }

  withoutPrefix(path: string): string {
    const { prefix } = this;
    if (prefix === "" || !path.startsWith(prefix)) return path;
    const rest = path.slice(prefix.length);
    if (rest.startsWith("/")) return rest;
    return rest === "" || rest.startsWith("?") ? `/${rest}` : path;
  }
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isPlain)
    throw new Error(`the public URL ${text} is no http or https URL such as https://host/coop/`);
  return url;
}

/** RFC 9112 section 3.2: a request with more than one Host is refused, since two servers could read it as two. */
export function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === "host") hosts++;
  return hosts < 2;
}
