// `npm run coop -- …`: starts the command line through tsx. Sets up nothing; ends with its exit code.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));
const child = spawn(
  process.execPath,
  ["--import", import.meta.resolve("tsx"), main, ...process.argv.slice(2)],
  // npm changes into the project's directory; paths are meant from where it was called.
  { cwd: process.env.INIT_CWD ?? process.cwd(), stdio: "inherit" },
);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
