// Writes the page's policy into the built index.html, first of all in its head, so that it holds on any file server.
// Not while developing: the development server puts inline scripts into the page.

import type { Plugin } from "vite";
import { PAGE_POLICY } from "../src/server/page-policy.ts";

export function pagePolicy(): Plugin {
  return {
    name: "page-policy",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (html) => ({
        html,
        tags: [
          {
            tag: "meta",
            attrs: { "http-equiv": "Content-Security-Policy", content: PAGE_POLICY },
            injectTo: "head-prepend",
          },
        ],
      }),
    },
  };
}
