// Type checks: the whole tree, then core and games again without DOM or Node types, so that they stay pure.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./setup.mjs";

const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
let failed = false;
for (const project of ["tsconfig.json", join("src", "core", "tsconfig.json")]) {
  const run = spawnSync(process.execPath, [tsc, "--project", project], { cwd: root, stdio: "inherit" });
  if (run.status !== 0) failed = true;
}
process.exit(failed ? 1 : 0);
