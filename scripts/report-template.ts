// The template of the single-file report, as a plugin of the app's build: a second small build of src/ui/report/main.tsx,
// put into one HTML file with a policy that allows its own script and style and nothing else, no request at all.

import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build, type Plugin } from "vite";
import { DATA_MARK, TEMPLATE_FILE, TITLE_MARK } from "../src/audit/build-report.ts";

const ENTRY = fileURLToPath(new URL("../src/ui/report/main.tsx", import.meta.url));

export function reportTemplate(): Plugin {
  return {
    name: "report-template",
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: TEMPLATE_FILE, source: await buildTemplate() });
    },
    configureServer(server) {
      server.middlewares.use(`/${TEMPLATE_FILE}`, (_request, response, next) => {
        buildTemplate().then((html) => {
          response.setHeader("content-type", "text/html; charset=utf-8");
          response.end(html);
        }, next);
      });
    },
  };
}

/** The template's text. */
async function buildTemplate(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "warn",
    plugins: [react()],
    publicDir: false,
    build: {
      target: "es2022",
      write: false,
      cssCodeSplit: false,
      modulePreload: false,
      rolldownOptions: { input: ENTRY, output: { format: "es", codeSplitting: false } },
    },
  });
  if (!("output" in result)) throw new Error("the report's build gave no single output");
  let script = "";
  let style = "";
  for (const file of result.output) {
    if (file.type === "chunk") script += file.code;
    else if (file.fileName.endsWith(".css")) style += String(file.source);
    else throw new Error(`the report must be one file, and ${file.fileName} is another`);
  }
  return pageOf(inertInScript(script), style);
}

/** The same program, without what would end its script element or begin a comment in it. */
function inertInScript(code: string): string {
  return code
    .trim()
    .replaceAll(/<\/(script)/gi, String.raw`<\/$1`)
    .replaceAll("<!--", String.raw`<\x21--`);
}

function pageOf(script: string, style: string): string {
  if (/<\/style/i.test(style)) throw new Error("the report's style would end its own element");
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${TITLE_MARK}</title>
<style>${style}</style>
</head>
<body>
<div id="root"></div>
<noscript>This report checks the signatures that it carries in this browser, which needs JavaScript.</noscript>
<script type="application/json" id="report-data">${DATA_MARK}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

/** Source expression of an inline element's exact text (CSP level 3, section 6.7.3.3). */
function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
