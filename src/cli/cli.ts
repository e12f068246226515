// The commands by name, their help, and what becomes of input that cannot be used.

import { audit, AUDIT_HELP } from "./audit.ts";
import { backup, BACKUP_HELP, migrate, MIGRATE_HELP, restore, RESTORE_HELP } from "./backup.ts";
import { bundle, BUNDLE_HELP } from "./bundle.ts";
import { EXIT, safeConsole, Unusable, type Console, type ExitCode, type SafeConsole } from "./console.ts";
import { inspect, INSPECT_HELP } from "./inspect.ts";
import { mcp, MCP_HELP } from "./mcp.ts";
import { play, PLAY_HELP } from "./play.ts";
import { serve, SERVE_HELP } from "./serve.ts";
import { vectors, VECTORS_HELP } from "./vectors.ts";

interface Command {
  readonly help: string;
  readonly run: (args: readonly string[], console: SafeConsole) => Promise<ExitCode>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  serve: { help: SERVE_HELP, run: serve },
  backup: { help: BACKUP_HELP, run: backup },
  restore: { help: RESTORE_HELP, run: restore },
  migrate: { help: MIGRATE_HELP, run: migrate },
  play: { help: PLAY_HELP, run: play },
  audit: { help: AUDIT_HELP, run: audit },
  inspect: { help: INSPECT_HELP, run: inspect },
  bundle: { help: BUNDLE_HELP, run: bundle },
  mcp: { help: MCP_HELP, run: mcp },
  vectors: { help: VECTORS_HELP, run: vectors },
};

const HELP = `coop <command> …

  serve     Hub, relay, app and bot on one port
  backup    the Hub's store into a file, while it is used
  restore   a store from such a file
  migrate   the store of a folder to PostgreSQL
  play      an agent that plays: against a link, an address, or as bot
  audit     verify a session: verdict and checks
  inspect   the entries of a session, or one record with its checks
  bundle    one file that carries a session
  mcp       play and audit by tool calls of an assistant or agent
  vectors   run a folder of test vectors

coop <command> --help says more. A fault of coop's own exits with 70.`;

/** Runs a command; rejects only by a fault of our own. */
export async function runCommand(args: readonly string[], plain: Console): Promise<ExitCode> {
  const console = safeConsole(plain);
  const [name, ...rest] = args;
  if (name === "help" && rest[0] !== undefined) return runCommand([rest[0], "--help"], plain);
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    console.lines(HELP);
    return name === undefined ? EXIT.unusable : EXIT.ok;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    console.note(`${JSON.stringify(name)} is no command.`);
    for (const line of ["", ...HELP.split("\n")]) console.note(line);
    return EXIT.unusable;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    console.lines(command.help);
    return EXIT.ok;
  }
  try {
    return await command.run(rest, console);
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    console.note(`coop ${name}: ${error.message}`);
    return EXIT.unusable;
  }
}
