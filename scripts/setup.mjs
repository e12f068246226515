// Brings a fresh clone to the point where it runs: Node's version, installed packages, the built app.
// Does only what is missing or out of date. Plain Node, no dependency, nothing that an old Node could not parse.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => join(root, ...parts);
const LEAST_NODE = [20, 19];
const BUILD_STAMP = at("dist", "app.stamp");
/** What the built app is made from. */
const SOURCES = [
  "index.html",
  "vite.config.ts",
  "scripts/report-template.ts",
  "package-lock.json",
  "tsconfig.json",
  "src",
  "public",
];

/** Ends the process with a message for people. */
function giveUp(message) {
  console.error(message);
  process.exit(1);
}

export function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])) return;
  giveUp(
    `Node ${LEAST_NODE.join(".")} or newer is needed; this is Node ${process.versions.node} (${process.execPath}).`,
  );
}

/**
 * Whether node_modules holds what the lock file says. npm writes its own account of what it has installed as the
 * last step, so that an interrupted installation is noticed too. Packages for other platforms may be absent.
 */
export function isInstalled() {
  const installed = readLock(at("node_modules", ".package-lock.json"));
  const wanted = readLock(at("package-lock.json"));
  if (installed === undefined || wanted === undefined) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    const found = installed[path];
    return path === "" || (found === undefined ? optional === true : found.version === version);
  });
}

function readLock(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : undefined;
}

export function install() {
  if (isInstalled()) return;
  console.error("Installing packages (npm ci) …");
  const args = ["ci", "--no-audit", "--no-fund"];
  // npm's own script when npm started us: on Windows `npm` alone is no program.
  const npm = process.env.npm_execpath;
  const run =
    npm === undefined
      ? spawnSync("npm", args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" })
      : spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: "inherit" });
  if (run.status !== 0) giveUp("npm ci failed: see above.");
}

/** Hash of everything the app is built from, tests aside. */
function sourcesHash() {
  const hash = createHash("sha256");
  const visit = (path) => {
    const full = at(...path.split("/"));
    if (!existsSync(full)) return;
    if (statSync(full).isDirectory()) {
      for (const name of readdirSync(full).sort()) visit(`${path}/${name}`);
    } else if (!/\.test\.tsx?$/.test(path)) {
      const bytes = readFileSync(full);
      hash.update(`${path}\n${bytes.length}\n`).update(bytes);
    }
  };
  SOURCES.forEach(visit);
  return hash.digest("hex");
}

/** Builds the app into dist/app unless it is there and made from these sources. Returns whether it stands. */
export function buildApp({ force = false } = {}) {
  const hash = sourcesHash();
  const built = existsSync(at("dist", "app", "index.html")) && existsSync(BUILD_STAMP);
  if (!force && built && readFileSync(BUILD_STAMP, "utf8") === hash) return true;
  console.error("Building the app (vite build) …");
  const vite = at("node_modules", "vite", "bin", "vite.js");
  const run = spawnSync(process.execPath, [vite, "build", "--logLevel", "error"], {
    cwd: root,
    // What the build says is not what the started program says: it goes to standard error.
    stdio: ["ignore", 2, 2],
  });
  if (run.status !== 0) return false;
  mkdirSync(at("dist"), { recursive: true });
  writeFileSync(BUILD_STAMP, hash);
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  checkNode();
  install();
  if (!buildApp()) giveUp("The app could not be built: see above.");
}
