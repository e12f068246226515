// `npm start`: sets up what is missing, then serves Hub, relay and app on one port.
// Arguments go to `coop serve`; PORT in the environment is the same as `--port`. Ends with the server's exit code.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { buildApp, checkNode, install, root } from "./setup.mjs";

checkNode();
install();
if (!buildApp()) {
  console.error("The app could not be built: see above.");
  process.exit(1);
}

const args = process.argv.slice(2);
const hasPort = args.some((arg) => arg === "--port" || arg.startsWith("--port="));
if (process.env.PORT && !hasPort) args.push("--port", process.env.PORT);

const server = spawn(process.execPath, ["--import", "tsx", join("src", "cli", "main.ts"), "serve", ...args], {
  cwd: root,
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => server.kill(signal));
server.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
