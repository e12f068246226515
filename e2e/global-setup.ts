// Before the browser tests: the app is built from the present sources, however the tests were started.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export default function setUp(): void {
  const script = fileURLToPath(new URL("../scripts/setup.mjs", import.meta.url));
  const run = spawnSync(process.execPath, [script], { stdio: "inherit" });
  if (run.status !== 0) throw new Error("the app could not be built");
}
