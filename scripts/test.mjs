// `npm test`: sets up what is missing, then runs every check. All stages run even if one fails.
// The last line is the sum of the two test runners' own counts; a stage that ran no test, or skipped one, has failed.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildApp, checkNode, install, root } from "./setup.mjs";

const bin = (...parts) => join(root, "node_modules", ...parts);
const REPORTS = join(root, "dist", "reports");
const UNIT_REPORT = join(REPORTS, "vitest.json");
const BROWSER_REPORT = join(REPORTS, "playwright.json");

function run(args, env = {}) {
  const options = { cwd: root, stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } };
  return spawnSync(process.execPath, args, options).status === 0;
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

const stages = [
  { name: "types", check: () => run([join(root, "scripts", "types.mjs")]) },
  { name: "lint", check: () => run([bin("eslint", "bin", "eslint.js"), ".", "--max-warnings", "0"]) },
  {
    name: "format",
    check: () => run([bin("prettier", "bin", "prettier.cjs"), "--check", "--log-level", "warn", "."]),
  },
  {
    name: "unit",
    check: () =>
      run([
        bin("vitest", "vitest.mjs"),
        "run",
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${UNIT_REPORT}`,
      ]),
    counts: unitCounts,
  },
  { name: "build", check: () => buildApp({ force: true }) },
  {
    name: "browser",
    check: () =>
      run([bin("@playwright", "test", "cli.js"), "test", "--reporter=list,json"], {
        PLAYWRIGHT_JSON_OUTPUT_FILE: BROWSER_REPORT,
      }),
    counts: browserCounts,
  },
];

checkNode();
install();
rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

const lines = [];
const sum = { passed: 0, failed: 0 };
let ok = true;
for (const { name, check, counts } of stages) {
  console.log(`\n=== ${name}`);
  const started = Date.now();
  const faults = check() ? [] : ["failed"];
  const count = counts?.();
  if (count !== undefined) {
    sum.passed += count.passed;
    sum.failed += count.failed;
    if (count.failed > 0) faults.push(`${count.failed} tests failed`);
    if (count.skipped > 0) faults.push(`${count.skipped} tests skipped`);
    if (count.passed + count.failed === 0) faults.push("no test ran");
  }
  if (faults.length > 0) ok = false;
  const seconds = ((Date.now() - started) / 1000).toFixed(1).padStart(6);
  const ran = count === undefined ? "" : `, ${count.passed} tests passed`;
  lines.push(
    `${name.padEnd(8)} ${seconds} s  ${faults.length === 0 ? `ok${ran}` : `NOT OK: ${faults.join("; ")}`}`,
  );
}

console.log(`\n=== summary\n${lines.join("\n")}\n`);
console.log(`${sum.passed} passed, ${sum.failed} failed`);
process.exit(ok ? 0 : 1);
