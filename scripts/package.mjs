// Builds what `npm pack` packs (it runs this as `prepack`): the library and the command line in dist/lib, compiled, with
// declarations, and the app in dist/app. Dependencies stay imports; the code is not minified.

import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { buildApp, root } from "./setup.mjs";

const OUT = join(root, "dist", "lib");
const entryFiles = readdirSync(join(root, "src", "package")).filter((name) => name.endsWith(".ts"));
/** Output name: source. Worker entry points keep their names, since `new URL` finds them beside the code. */
const INPUT = {
  cli: "src/cli/main.ts",
  "worker.node": "src/verify/worker.node.ts",
  "worker.browser": "src/verify/worker.browser.ts",
  ...Object.fromEntries(entryFiles.map((name) => [name.replace(/\.ts$/, ""), `src/package/${name}`])),
};
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const isDependency = (id) =>
  Object.keys(dependencies).some((name) => id === name || id.startsWith(`${name}/`));

/** `new URL("./x.ts", import.meta.url)` names a source; in the package it is the compiled file beside it. */
const compiledUrls = {
  name: "compiled-urls",
  transform: (code, id) =>
    id.endsWith(".ts") && code.includes("import.meta.url")
      ? {
          code: code.replaceAll(
            /new URL\("(\.\/[\w.-]+)\.ts", import\.meta\.url\)/g,
            'new URL("$1.js", import.meta.url)',
          ),
        }
      : null,
};

async function buildScripts() {
  const bundle = await rolldown({
    cwd: root,
    input: INPUT,
    platform: "neutral",
    // Without this the code that others share may land in cli.js, and importing it would start the command line.
    preserveEntrySignatures: "strict",
    external: (id) => id.startsWith("node:") || isDependency(id),
    plugins: [compiledUrls],
    logLevel: "warn",
    onLog: (level, log) => {
      throw new Error(`${level}: ${log.message}`);
    },
  });
  // One flat folder, so that a relative URL holds in whichever chunk the code ends up.
  await bundle.write({
    dir: OUT,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunk-[name]-[hash].js",
    banner: ({ name }) => (name === "cli" ? "#!/usr/bin/env node" : ""),
  });
  await bundle.close();
}

function buildDeclarations() {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const project = join(root, "src", "package", "tsconfig.json");
  const run = spawnSync(process.execPath, [tsc, "--project", project], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (run.status !== 0) throw new Error("the declarations could not be made: see above");
  const types = join(OUT, "types");
  for (const name of readdirSync(types, { recursive: true })) {
    if (!name.endsWith(".d.ts")) continue;
    const path = join(types, name);
    // tsc leaves the sources' extensions in declarations, and a consumer has no such files.
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(/(["'])(\.\.?\/[^"'\n]+)\.ts\1/g, "$1$2.js$1"));
  }
}

/** Builds it all. @throws with what could not be built */
export async function buildPackage() {
  rmSync(OUT, { recursive: true, force: true });
  if (!buildApp()) throw new Error("the app could not be built: see above");
  await buildScripts();
  // The SQL files are read beside the code, by `new URL("./migrations/", import.meta.url)`.
  cpSync(join(root, "src", "server", "migrations"), join(OUT, "migrations"), { recursive: true });
  buildDeclarations();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPackage();
