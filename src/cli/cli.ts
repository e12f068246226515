// The commands by name, their help, and what becomes of input that cannot be used.

import { EXIT, safeConsole, Unusable, type Console, type ExitCode, type SafeConsole } from "./console.ts";

interface Command {
  readonly help: string;
  readonly run: (args: readonly string[], console: SafeConsole) => Promise<ExitCode>;
}

/** Each command's code is loaded when it is called, so that none waits for what another needs. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: () => import("./serve.ts").then(({ serve, SERVE_HELP }) => ({ help: SERVE_HELP, run: serve })),
  backup: () => import("./backup.ts").then(({ backup, BACKUP_HELP }) => ({ help: BACKUP_HELP, run: backup })),
  restore: () =>
    import("./backup.ts").then(({ restore, RESTORE_HELP }) => ({ help: RESTORE_HELP, run: restore })),
  migrate: () =>
    import("./backup.ts").then(({ migrate, MIGRATE_HELP }) => ({ help: MIGRATE_HELP, run: migrate })),
  play: () => import("./play.ts").then(({ play, PLAY_HELP }) => ({ help: PLAY_HELP, run: play })),
  audit: () => import("./audit.ts").then(({ audit, AUDIT_HELP }) => ({ help: AUDIT_HELP, run: audit })),
  inspect: () =>
    import("./inspect.ts").then(({ inspect, INSPECT_HELP }) => ({ help: INSPECT_HELP, run: inspect })),
  bundle: () => import("./bundle.ts").then(({ bundle, BUNDLE_HELP }) => ({ help: BUNDLE_HELP, run: bundle })),
  mcp: () => import("./mcp.ts").then(({ mcp, MCP_HELP }) => ({ help: MCP_HELP, run: mcp })),
  vectors: () =>
    import("./vectors.ts").then(({ vectors, VECTORS_HELP }) => ({ help: VECTORS_HELP, run: vectors })),
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
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) {
    console.note(`${JSON.stringify(name)} is no command.`);
    for (const line of ["", ...HELP.split("\n")]) console.note(line);
    return EXIT.unusable;
  }
  const command = await load();
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
