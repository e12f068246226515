// The command line: `coop serve | play | audit | inspect | bundle | vectors`. Answers go to standard output, progress
// to standard error.

import { runCommand } from "./cli.ts";
import { EXIT, leave, processConsole } from "./console.ts";

const terminal = processConsole();
runCommand(process.argv.slice(2), terminal).then(leave, (error: unknown) => {
  terminal.note(error instanceof Error ? (error.stack ?? error.message) : String(error));
  void leave(EXIT.failed);
});
