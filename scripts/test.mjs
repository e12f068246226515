// `npm test`: sets up what is missing, then runs every check. All stages run even if one fails.
// Two lanes run side by side, as lint and unit tests each leave a core idle for long; then come build, browser and other engines.
// Tests that need PostgreSQL or nats-server run where these are installed; where not, they are named and counted as not run,
// and in CI (CI=true) they are a failure. The last line is the sum of the test runners' own counts; a stage that ran no test, or skipped one, has failed.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { buildApp, checkNode, install, root } from "./setup.mjs";

const bin = (...parts) => join(root, "node_modules", ...parts);
const REPORTS = join(root, "dist", "reports");
const UNIT_REPORT = join(REPORTS, "vitest.json");
const ENGINES_REPORT = join(REPORTS, "engines.json");
const BROWSER_REPORT = join(REPORTS, "playwright.json");

/** Runs a Node program; resolves with whether it succeeded. A quiet one's output is printed once it has ended. */
function run(args, { env = {}, quiet = false } = {}) {
  const stdio = ["ignore", quiet ? "pipe" : "inherit", quiet ? "pipe" : "inherit"];
  const child = spawn(process.execPath, args, { cwd: root, stdio, env: { ...process.env, ...env } });
  const output = [];
  child.stdout?.on("data", (chunk) => output.push(chunk));
  child.stderr?.on("data", (chunk) => output.push(chunk));
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => {
      process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}

/** A runner's JSON report, or undefined where it wrote none. */
function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

function unitCounts() {
  const report = readReport(UNIT_REPORT);
  if (report === undefined) return { passed: 0, failed: 0, skipped: 0 };
  // A file that could not be loaded has no test that failed; it counts as one.
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function browserCounts() {
  const report = readReport(BROWSER_REPORT);
  if (report === undefined) return { passed: 0, failed: 0, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected, failed: unexpected + flaky, skipped };
}

/** Programs that some tests need: how to find each, and the tests' files. */
const SERVICES = [
  { name: "PostgreSQL", package: "postgresql", files: /\.pg\./, found: () => hasPostgres() },
  { name: "nats-server", package: "nats-server", files: /\.nats\./, found: () => onPath("nats-server") },
];

function onPath(program) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  return folders.some((folder) => existsSync(join(folder, program)));
}

function hasPostgres() {
  const debian = "/usr/lib/postgresql";
  return (existsSync(debian) && readdirSync(debian).length > 0) || onPath("initdb");
}

/** Test files that cannot run here, and one line that says why. */
function leftOut() {
  const missing = SERVICES.filter(({ found }) => !found());
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".test.ts") && missing.some((service) => service.files.test(path)),
  );
  const tests = files.reduce((sum, path) => {
    const text = readFileSync(join(root, "src", path), "utf8");
    return sum + (text.match(/^ *test(?:\.each)?\(/gm) ?? []).length;
  }, 0);
  const names = missing.map((service) => `${service.name} (apt-get install ${service.package})`);
  return { files, tests, note: `not run: at least ${tests} tests that need ${names.join(" and ")}` };
}

const absent = leftOut();

function engineCounts() {
  // Without an installed engine nothing ran, which a line of its own says.
  return { passed: 0, failed: 0, ...readReport(ENGINES_REPORT), skipped: 0, mayBeNone: true };
}

const quiet = { quiet: true };
const types = { name: "types", check: () => run([join(root, "scripts", "types.mjs")], quiet) };
const lint = {
  name: "lint",
  check: () => run([bin("eslint", "bin", "eslint.js"), ".", "--max-warnings", "0"], quiet),
};
const format = {
  name: "format",
  check: () => run([bin("prettier", "bin", "prettier.cjs"), "--check", "--log-level", "warn", "."], quiet),
};
const unit = {
  name: "unit",
  check: () =>
    run(
      [
        bin("vitest", "vitest.mjs"),
        "run",
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${UNIT_REPORT}`,
      ],
      { env: { COOP_LEFT_OUT: absent.files.map((path) => `**/${path.replaceAll("\\", "/")}`).join(",") } },
    ),
  counts: unitCounts,
};
const build = { name: "build", check: async () => buildApp({ force: true }) };
const packed = { name: "package", check: () => run([join(root, "scripts", "check-package.mjs")]) };
const browser = {
  name: "browser",
  check: () =>
    run([bin("@playwright", "test", "cli.js"), "test", "--reporter=list,json"], {
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: BROWSER_REPORT },
    }),
  counts: browserCounts,
};
const engines = {
  name: "engines",
  check: () =>
    run(["--import", "tsx", join("e2e", "engines", "main.ts")], {
      env: { COOP_ENGINES_REPORT: ENGINES_REPORT },
    }),
  counts: engineCounts,
};

checkNode();
install();
rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

/** Attacks on a server of its own; its clients come from many addresses of 127.0.0.0/8, which Linux alone has. */
const attacks = {
  name: "attacks",
  check: () => run(["--import", "tsx", join("bench", "hostile", "attacks.ts"), "--short"]),
};
const withAttacks = process.env.CI === "true" && process.platform === "linux";

const lines = [];
const sum = { passed: 0, failed: 0 };
let ok = true;

async function runStage({ name, check, counts }) {
  console.log(`\n=== ${name}`);
  const started = Date.now();
  const faults = (await check()) ? [] : ["failed"];
  const count = counts?.();
  if (count !== undefined) {
    sum.passed += count.passed;
    sum.failed += count.failed;
    if (count.failed > 0) faults.push(`${count.failed} tests failed`);
    if (count.skipped > 0) faults.push(`${count.skipped} tests skipped`);
    if (count.passed + count.failed === 0 && count.mayBeNone !== true) faults.push("no test ran");
  }
  if (faults.length > 0) ok = false;
  const seconds = ((Date.now() - started) / 1000).toFixed(1).padStart(6);
  const ran = count === undefined ? "" : `, ${count.passed} tests passed`;
  const result = faults.length === 0 ? `ok${ran}` : `NOT OK: ${faults.join("; ")}`;
  lines.push(`${name.padEnd(8)} ${seconds} s  ${result}`);
  console.log(`=== ${name}: ${result}`);
}

async function runLane(stages) {
  for (const stage of stages) await runStage(stage);
}

await Promise.all([runLane([types, lint, format]), runLane([unit])]);
await runLane([build, packed, browser, engines, ...(withAttacks ? [attacks] : [])]);

console.log(`\n=== summary\n${lines.join("\n")}\n`);
if (absent.files.length > 0) {
  console.log(absent.note);
  if (process.env.CI === "true") ok = false;
}
console.log(`${sum.passed} passed, ${sum.failed} failed`);
process.exit(ok ? 0 : 1);
