// The command line: `coop serve | play | audit | inspect | bundle | mcp | vectors`. Answers go to standard output,
// progress to standard error.

import { runCommand } from "./cli.ts";
import { leave, processConsole } from "./console.ts";

/** A fault of our own (sysexits.h: EX_SOFTWARE): Node's 1 would say that a check failed. */
const FAULT = 70;

const terminal = processConsole();
const fault = (error: unknown): void => {
  terminal.note(error instanceof Error ? (error.stack ?? error.message) : String(error));
  void leave(FAULT);
};
process.on("uncaughtException", fault);
runCommand(process.argv.slice(2), terminal).then(leave, fault);
