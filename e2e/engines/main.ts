// Walks in every installed engine and writes the counts to the file named by COOP_ENGINES_REPORT.
// COOP_REQUIRE=firefox,webkit makes a missing engine a failure; otherwise one line names it as not run.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../fixtures.ts";
import type { EngineKind } from "./engine.ts";
import { firefox } from "./firefox.ts";
import { STEPS } from "./walk.ts";
import { webkit } from "./webkit.ts";

const kinds: readonly EngineKind[] = [firefox, webkit];
const required = (process.env["COOP_REQUIRE"] ?? "").split(",").filter((name) => name !== "");
const unknown = required.filter((name) => !kinds.some((kind) => kind.name === name));
if (unknown.length > 0) throw new Error(`COOP_REQUIRE names no engine of ours: ${unknown.join(", ")}`);

const count = { passed: 0, failed: 0 };

async function walk(kind: EngineKind, url: string): Promise<void> {
  const engine = await kind.start();
  try {
    for (const step of STEPS) {
      const started = Date.now();
      const failure = await step.walk(engine, url).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      count[failure === undefined ? "passed" : "failed"]++;
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      console.log(`${failure === undefined ? "ok" : "FAILED"} ${kind.name}: ${step.title} (${seconds} s)`);
      if (failure !== undefined) console.log(failure);
    }
  } finally {
    await engine.close();
  }
}

for (const kind of kinds.filter((each) => !each.isInstalled())) {
  console.log(`not run: ${kind.name} (${kind.needs} is not installed)`);
  if (required.includes(kind.name)) count.failed++;
}
const data = mkdtempSync(join(tmpdir(), "coop-engines-"));
const { url, stop } = await startServer(["--port", "0", "--data", data]);
try {
  // Side by side: one engine waits while the other works.
  await Promise.all(
    kinds
      .filter((each) => each.isInstalled())
      .map((kind) =>
        walk(kind, url).catch((error: unknown) => {
          console.log(`FAILED ${kind.name}: ${String(error)}`);
          count.failed++;
        }),
      ),
  );
} finally {
  await stop();
  rmSync(data, { recursive: true, force: true });
}
const report = process.env["COOP_ENGINES_REPORT"];
if (report !== undefined) writeFileSync(report, JSON.stringify(count));
process.exit(count.failed === 0 ? 0 : 1);
