// `npm run check:package`: packs the package and looks at it as another project does. Its files, exports and types (publint,
// arethetypeswrong), a project in a temporary folder that installs it, and the command line from there. Needs no network:
// dependencies are linked from this checkout, and only those that the package declares.

import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { build } from "vite";
import { buildPackage } from "./package.mjs";
import { root } from "./setup.mjs";

const NAME = "coop-explorer";
/** kB (1,000 bytes) after gzip of all that a page with the verifier loads, its worker included. */
const MAX_VERIFIER_KB = 150;
/** Entry points of the package that a browser cannot load. */
const NODE_ONLY = ["node"];

const folder = mkdtempSync(join(tmpdir(), "coop-package-"));
const project = join(folder, "project");
const installed = join(project, "node_modules", NAME);

function fail(message) {
  throw new Error(message);
}

/** Runs a Node program in the project; its standard output. @throws where it ends with another code than expected */
function node(args, { code = 0, env = {} } = {}) {
  const options = { cwd: project, encoding: "utf8", stdio: "pipe", env: { ...process.env, ...env } };
  try {
    const out = execFileSync(process.execPath, args, options);
    return code === 0 ? out : fail(`${args.join(" ")}: exit 0, expected ${code}`);
  } catch (error) {
    if (error.status === code) return error.stdout;
    throw new Error(`${args.join(" ")}: ${error.message}\n${error.stdout ?? ""}${error.stderr ?? ""}`);
  }
}

function pack() {
  const npm = process.env.npm_execpath;
  const [command, first] = npm === undefined ? ["npm", []] : [process.execPath, [npm]];
  const args = [...first, "pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const options = {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    shell: npm === undefined && process.platform === "win32",
  };
  const said = JSON.parse(execFileSync(command, args, options));
  const [packed] = Array.isArray(said) ? said : Object.values(said);
  return { ...packed, tarball: join(folder, packed.filename) };
}

/** Neither sources nor tests; and all that the entry points need. */
function checkFiles({ files, size, unpackedSize }) {
  const paths = files.map(({ path }) => path);
  const foreign = paths.filter(
    (path) =>
      /(^|\/)(src|e2e|bench|scripts|testing)\//.test(path.replace(/^dist\/lib\/types\//, "")) ||
      /\.(test|spec|contract)\./.test(path) ||
      (/\.tsx?$/.test(path) && !path.endsWith(".d.ts")) ||
      path.endsWith(".map"),
  );
  if (foreign.length > 0) fail(`these do not belong into the package: ${foreign.join(", ")}`);
  for (const path of [
    "README.md",
    "LICENSE",
    "dist/app/index.html",
    "dist/lib/cli.js",
    "dist/lib/worker.node.js",
  ])
    if (!paths.includes(path)) fail(`${path} is not in the package`);
  return `${paths.length} files, ${(size / 1e6).toFixed(1)} MB, ${(unpackedSize / 1e6).toFixed(1)} MB unpacked`;
}

async function checkExports(tarball) {
  const { messages, pkg } = await publint({ pack: { tarball: readFileSync(tarball).buffer }, strict: true });
  if (messages.length > 0) fail(`publint: ${messages.map((one) => formatMessage(one, pkg)).join("; ")}`);
  const { problems } = await checkPackage(
    createPackageFromTarballData(new Uint8Array(readFileSync(tarball))),
  );
  // The package is an ES module with entry points below its name: Node 10's resolution knows neither, and `require` of it
  // works from Node 20.19 on, which is the oldest supported one.
  const left = problems.filter(
    ({ kind, resolutionKind }) => resolutionKind !== "node10" && kind !== "CJSResolvesToESM",
  );
  if (left.length > 0) fail(`arethetypeswrong: ${JSON.stringify(left)}`);
  return "publint and arethetypeswrong find nothing";
}

/** A project that has installed the tarball: unpacked, with the dependencies that it declares and no others. */
function install(tarball) {
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "--strip-components=1", "-C", installed]);
  const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  for (const name of [...Object.keys(dependencies), "@types/node", "undici-types"]) {
    const link = join(project, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, "node_modules", name), link, "junction");
  }
  cpSync(join(root, "scripts", "consumer"), project, { recursive: true });
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ name: "consumer", type: "module", private: true }),
  );
}

/** Strict, with the declarations of the package checked too, as Node and as a bundler resolve them. */
function checkTypes() {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const sources = readdirSync(project).filter((name) => name.endsWith(".ts"));
  const common = [
    "--strict",
    "--target",
    "es2023",
    "--lib",
    "es2024,dom,dom.iterable",
    "--noUncheckedIndexedAccess",
  ];
  const nodeTypes = ["--types", "node"];
  node([tsc, ...common, ...nodeTypes, "--module", "node20", ...sources]);
  const bundled = ["--module", "esnext", "--moduleResolution", "bundler", "--noEmit"];
  node([tsc, ...common, ...bundled, "verifier-page.ts"]);
  return "type-checks as Node and as a bundler resolve it";
}

function checkUse() {
  const sample = join(installed, "dist", "app", "samples", "rps-best-of-three.coop.jsonl");
  return [node(["verify-sample.js", sample]).trim(), node(["play-game.js"]).trim()];
}

async function checkCommandLine() {
  const cli = join(installed, "dist", "lib", "cli.js");
  const sample = join(installed, "dist", "app", "samples", "fork.coop.jsonl");
  if (!node([cli, "--help"]).startsWith("coop <command>")) fail("coop --help says something else");
  node([cli, "audit", sample], { code: 1 });
  const started = performance.now();
  node([cli, "--help"]);
  const ms = performance.now() - started;
  await checkServe(cli);
  return `coop --help in ${ms.toFixed(0)} ms, coop audit finds the fork, coop serve serves the app`;
}

/** The server from the package serves its built app, and stops by a signal. */
async function checkServe(cli) {
  const args = [cli, "serve", "--port", "0", "--no-bot", "--data", join(folder, "data")];
  const child = spawn(process.execPath, args, { cwd: project, stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += chunk));
  const ended = new Promise((resolve) => child.once("close", resolve));
  const url = await new Promise((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
      if (said.includes("\n")) resolve(said.trim());
    });
    child.once("close", () => reject(new Error(`coop serve ended: ${errors}`)));
  });
  const page = await (await fetch(`${url}/`)).text();
  child.kill("SIGTERM");
  await ended;
  if (!page.includes("<title>")) fail("coop serve does not serve the app");
}

/** The verifier for a page, as vite bundles it from the installed package: nothing of Node, and its size. */
async function checkBundle() {
  const outDir = join(folder, "bundle");
  await build({
    root: project,
    configFile: false,
    logLevel: "error",
    worker: { format: "es" },
    build: {
      ...{ outDir, target: "es2022" },
      lib: { entry: "verifier-page.ts", formats: ["es"], fileName: "page" },
    },
  });
  const files = readdirSync(outDir, { recursive: true }).filter((name) => name.endsWith(".js"));
  const worker = files.find((name) => name.includes("worker"));
  const texts = files.map((name) => readFileSync(join(outDir, name)));
  if (worker === undefined) fail(`the bundle has no worker: ${files.join(", ")}`);
  if (texts.some((text) => /["']node:/.test(text.toString("utf8"))))
    fail("the bundle for browsers imports node:");
  const kB = (chosen) => chosen.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0) / 1000;
  const all = kB(texts);
  if (all > MAX_VERIFIER_KB)
    fail(`the verifier for a page has ${all} kB after gzip, more than ${MAX_VERIFIER_KB}`);
  const ofWorker = kB([readFileSync(join(outDir, worker))]);
  return `verifier for a page: ${all.toFixed(1)} kB after gzip, of which ${ofWorker.toFixed(1)} kB its worker`;
}

/** No entry point but those of Node imports anything of Node, however deep. */
function checkBrowserEntries() {
  const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  for (const [name, target] of Object.entries(exports)) {
    if (typeof target === "string" || NODE_ONLY.includes(name.slice(2))) continue;
    const waiting = [join(installed, target.default)];
    const found = new Set(waiting);
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      const text = readFileSync(file, "utf8");
      if (/(?:from|import\()\s*"node:/.test(text)) fail(`${name} imports node: in ${file}`);
      for (const [, to] of text.matchAll(/(?:from|import|import\()\s*"(\.\/[^"]+)"/g)) {
        const next = join(dirname(file), to);
        if (!found.has(next)) waiting.push(next);
        found.add(next);
      }
    }
  }
  return "entry points for browsers import nothing of Node";
}

try {
  await buildPackage();
  const packed = pack();
  const say = (text) => console.log([text].flat().join("\n"));
  say(checkFiles(packed));
  say(await checkExports(packed.tarball));
  install(packed.tarball);
  say(checkBrowserEntries());
  say(checkTypes());
  say(checkUse());
  say(await checkCommandLine());
  say(await checkBundle());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
