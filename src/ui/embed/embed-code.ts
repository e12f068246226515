// The HTML that puts a session's verdict on another page, and the address in it. Pure. The frame verifies by itself in
// the reader's browser: the page around it can neither see into it nor change what it says.

import { writeAuditLink, type AuditLink, type BadLink } from "../../core/audit-link.ts";

export const FRAME_TITLE = "Verdict of a session, verified in your browser";

export type EmbedCode = { readonly ok: true; readonly url: string; readonly html: string } | BadLink;

/** `frame`: the address that may be framed (`<app>embed`), without a fragment. What is looked at is left out. */
export function embedCode(frame: string, link: Omit<AuditLink, "state">): EmbedCode {
  const written = writeAuditLink({ ...link, state: new Map() });
  if (!written.ok) return written;
  const url = `${frame}${written.hash.replace("#/s/", "#/embed/s/")}`;
  const attributes = [
    `src="${attributeText(url)}"`,
    `title="${FRAME_TITLE}"`,
    'sandbox="allow-scripts allow-same-origin allow-popups"',
    'referrerpolicy="no-referrer"',
    'loading="lazy"',
    'width="100%"',
    'height="230"',
    'style="border:0"',
  ];
  return { ok: true, url, html: `<iframe ${attributes.join(" ")}></iframe>` };
}

/** The framed address beside the app's page: `/embed` where a server of ours serves it, else the page itself. */
export function frameAddress(page: string, hosted: boolean): string {
  const plain = page.split("#")[0]!;
  return hosted ? new URL("embed", plain).href : plain;
}

function attributeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
