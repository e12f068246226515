// `coop mcp`: a Model Context Protocol server, over standard input and output or over HTTP on loopback, until its input
// ends or a signal asks it to stop.

import { readFileSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { TEMPLATE_FILE } from "../audit/build-report.ts";
import { parseJson, isObject, own } from "../core/canonical.ts";
import { checksumAddress } from "../core/values.ts";
import { openLobby } from "../invite/lobby.ts";
import { openLog } from "../log/log-writer.ts";
import type { Desk } from "../mcp/desk.ts";
import { serveMcp } from "../mcp/http.node.ts";
import { JoinedGames } from "../mcp/joined-games.ts";
import { createMcpServer } from "../mcp/mcp-server.ts";
import { Refusal } from "../mcp/refusal.ts";
import { errorText } from "../platform/coded-error.ts";
import { makeFolder } from "../platform/make-folder.node.ts";
import { readArguments, readPort, type Arguments } from "./arguments.ts";
import { EXIT, Unusable, type ExitCode, type SafeConsole } from "./console.ts";
import { checkIsHub, hubUrl, openHub, relayOf } from "./open-hub.ts";
import { keyNamed, openPeerEnvironment, openRelay, systemRandom } from "./ports.ts";
import { shown } from "./source.ts";

export const MCP_HELP = `coop mcp [options]

A Model Context Protocol server: an assistant or agent framework plays and audits by
tool calls. It speaks over standard input and output; docs/agents.md has the lines
that a client's configuration needs.
  --hub URL          default COOP_HUB, else http://127.0.0.1:8787; may stand several times:
                     the first is played at, all are read for audits
  --relay URL        default the Hub's own /relay; "none": by polling alone
  --data DIR         where key, salts, games and exports are kept (default .data/mcp)
  --key NAME         which key of the vault (default mcp), made on first use
  --max-games N      games at once that are not final (default 8)
  --max-entries N    entries of a session that it makes or joins (default 1000)
  --http             over HTTP on 127.0.0.1 in place of standard input and output
  --port N           its port (default 8788; 0: any free one)
The token that HTTP asks for is COOP_MCP_TOKEN, else a drawn one, kept in DIR/mcp-token.
Keys stay in DIR. It signs only in games that it was asked to create or join, and only
their moves; the games go on after a restart.
Exit: 0 stopped, 3 it could not be started.`;

const VALUES = ["relay", "data", "key", "max-games", "max-entries", "port"];
const APP = fileURLToPath(new URL("../../dist/app", import.meta.url));
const MIN_TOKEN = 16;

export async function mcp(args: readonly string[], console: SafeConsole): Promise<ExitCode> {
  const given = readArguments(args, { values: VALUES, lists: ["hub"], switches: ["http"] }, 0);
  const limits = {
    games: readCount(given, "max-games", 8, 100),
    entries: readCount(given, "max-entries", 1000, 1_000_000),
  };
  const port = readPort(given.value("port") ?? "8788");
  if (given.value("port") !== undefined && !given.has("http")) throw new Unusable("--port: only with --http");
  const folder = resolve(given.value("data") ?? join(".data", "mcp"));
  const token = given.has("http") ? await readToken(folder) : "";
  const { desk, close } = await openDesk(given, folder, limits, console);
  const version = readVersion();
  const connect = () => createMcpServer(desk, version);
  const stop = given.has("http") ? await listen(connect, port, token, folder, console) : await talk(connect);
  console.note(`wallet ${checksumAddress(desk.games.log.address)} on ${desk.hubs[0]!.name}`);
  await stop.ended;
  await stop.close();
  close();
  return EXIT.ok;
}

interface Running {
  /** A signal came, or the client has gone. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

async function talk(connect: () => ReturnType<typeof createMcpServer>): Promise<Running> {
  const server = connect();
  const gone = new Promise<void>((done) => process.stdin.once("end", done).once("close", done));
  await server.connect(new StdioServerTransport());
  return { ended: Promise.race([gone, untilSignal()]), close: () => server.close() };
}

async function listen(
  connect: () => ReturnType<typeof createMcpServer>,
  port: number,
  token: string,
  folder: string,
  console: SafeConsole,
): Promise<Running> {
  const http = await serveMcp(connect, port, token).catch((error: unknown) => {
    const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
    throw new Unusable(isTaken ? `port ${port} is taken: give another with --port` : errorText(error));
  });
  console.out(http.url);
  console.note(
    `token: ${process.env["COOP_MCP_TOKEN"] === undefined ? join(folder, TOKEN_FILE) : "COOP_MCP_TOKEN"}`,
  );
  return { ended: untilSignal(), close: () => http.close() };
}

function untilSignal(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => done());
  });
}

async function openDesk(
  given: Arguments,
  folder: string,
  limits: { readonly games: number; readonly entries: number },
  console: SafeConsole,
): Promise<{ readonly desk: Desk; readonly close: () => void }> {
  const urls = given.list("hub").length > 0 ? given.list("hub") : [hubUrl(undefined)];
  const hubs = urls.map(openHub);
  await Promise.all(hubs.map(checkIsHub));
  const [hub] = hubs;
  const relay = given.value("relay") ?? relayOf(hub!.name);
  const channel = relay === "none" ? null : openRelay(relay);
  const environment = await openPeerEnvironment(folder, hub!, channel);
  const log = openLog(environment, await keyNamed(folder, given.value("key") ?? "mcp"));
  const games = new JoinedGames(environment, log, limits);
  await games.resume();
  const running = games.list().length;
  if (running > 0) console.note(`goes on with ${running} games`);
  const lobby = channel === null ? null : openLobby(environment);
  const desk: Desk = {
    environment,
    games,
    hubs,
    lobby,
    app: `${hub!.name}/`,
    saveExport: (name, text) => saveExport(join(folder, "exports"), name, text),
    reportTemplate: readTemplate,
  };
  const close = (): void => {
    lobby?.close();
    games.close();
    log.close();
    channel?.close();
  };
  return { desk, close };
}

async function saveExport(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name);
  try {
    makeFolder(folder, 0o700);
    await writeFile(path, text, { mode: 0o600 });
  } catch (error) {
    throw new Refusal(`${path} cannot be written: ${errorText(error)}`);
  }
  return path;
}

function readTemplate(): Promise<string> {
  return readFile(join(APP, TEMPLATE_FILE), "utf8").catch(() => {
    throw new Refusal(
      "the report's template is not built: run npm run build where coop is installed, or export_bundle",
    );
  });
}

const TOKEN_FILE = "mcp-token";

/** @throws Unusable */
async function readToken(folder: string): Promise<string> {
  const given = process.env["COOP_MCP_TOKEN"];
  if (given !== undefined) {
    if (given.length < MIN_TOKEN) throw new Unusable(`COOP_MCP_TOKEN: at least ${MIN_TOKEN} characters`);
    return given;
  }
  const path = join(folder, TOKEN_FILE);
  const kept = await readFile(path, "utf8").catch(() => "");
  if (kept.trim().length >= MIN_TOKEN) return kept.trim();
  const drawn = Buffer.from(systemRandom(32)).toString("base64url");
  try {
    makeFolder(folder, 0o700);
    await writeFile(path, `${drawn}\n`, { mode: 0o600 });
    await chmod(path, 0o600);
  } catch (error) {
    throw new Unusable(`the token cannot be kept in ${shown(path)}: ${errorText(error)}`);
  }
  return drawn;
}

function readCount(given: Arguments, name: string, standard: number, most: number): number {
  const text = given.value(name) ?? String(standard);
  if (!/^[1-9]\d{0,6}$/.test(text) || Number(text) > most)
    throw new Unusable(`--${name} ${shown(text)}: a number from 1 to ${most}`);
  return Number(text);
}

function readVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const manifest = parseJson(text);
  const version = isObject(manifest) ? own(manifest, "version") : undefined;
  return typeof version === "string" ? version : "0";
}
