// Names the session's script in the built index.html, so that it is fetched beside the shell's and not after that has
// run: every page but the first needs it. The icon goes into the page, for the same reason.

import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

export function preloads(): Plugin {
  return {
    name: "preloads",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (page, { bundle }) => {
        const chunk = Object.values(bundle ?? {}).find(
          (file) => file.type === "chunk" && file.name === "session",
        );
        if (chunk?.type !== "chunk") throw new Error("the build made no script named session");
        const icon = readFileSync(new URL("../public/icon.svg", import.meta.url), "utf8");
        return {
          html: page.replace('"./icon.svg"', () => `"data:image/svg+xml,${encodeURIComponent(icon)}"`),
          tags: [
            { tag: "link", attrs: { rel: "modulepreload", crossorigin: true, href: `./${chunk.fileName}` } },
          ],
        };
      },
    },
  };
}
