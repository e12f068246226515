// `coop serve`: Hub, relay and app on one port, with the bot, until a signal asks it to stop.

import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { openBot, type Bot } from "../bot/bot.ts";
import { openLog } from "../log/log-writer.ts";
import type { RelayBus } from "../server/relay-bus.ts";
import { NatsBus } from "../server/relay-bus.nats.ts";
import { startServer, systemClock, type RunningServer } from "../server/server.ts";
import { GAMES } from "../games/judge.ts";
import type { Address } from "../core/values.ts";
import type { Store } from "../server/hub-store.ts";
import { openPostgres } from "../server/postgres-open.ts";
import type { QuotaOptions } from "../server/quota.ts";
import { LOG_LEVELS, type Logging } from "../server/server-log.ts";
import { readPort, type Arguments } from "./arguments.ts";
import { LIMITS_HELP, readLimits } from "./serve-limits.ts";
import { OPTIONS_HELP, readSettings } from "./serve-options.ts";
import { EXIT, Unusable, type SafeConsole, type ExitCode } from "./console.ts";
import { openHub, relayOf } from "./open-hub.ts";
import { keyNamed, openPeerEnvironment, openRelay } from "./ports.ts";
import { errorText } from "../platform/coded-error.ts";
import { inertLine } from "../platform/inert.ts";

export const SERVE_HELP = `coop serve [options] [limits]

Serves the Hub, the relay and the app on one port until stopped by a signal.
${OPTIONS_HELP}
  --config FILE          options as lines COOP_PORT=8787; the environment goes before it, a flag before both
${LIMITS_HELP}
Exit: 0 stopped by a signal, 3 it could not be started.`;

const DEFAULT_PORT = 8787;
const APP = fileURLToPath(new URL("../../dist/app", import.meta.url));
/** A second signal, or this long after the first, ends the process without waiting. */
const STOP_MS = 10_000;

export async function serve(args: readonly string[], console: SafeConsole): Promise<ExitCode> {
  const given = readSettings(args, {
    environment: process.env,
    readFile: (path) => readFileSync(path, "utf8"),
  });
  const port = readPort(given.value("port") ?? String(DEFAULT_PORT));
  const data = resolve(given.value("data") ?? ".data");
  const appDir = given.has("no-app")
    ? undefined
    : (given.value("app") ?? (existsSync(APP) ? APP : undefined));
  const logging = readLogging(given);
  let bot: Bot | null = null;
  const stopped = untilSignal();
  const limits = readLimits(given);
  const drainMs = readDrainSeconds(given.value("drain-seconds")) * 1000;
  const exempt = (owner: Address) => bot?.address === owner;
  let note = (text: string): void => console.note(text);
  const bus = openBus(given, (text) => note(text));
  const store = await openStore(given, { quota: limits.quota, exempt }).catch(async (error: unknown) => {
    await bus?.close();
    throw error;
  });
  const server = await start(
    {
      port,
      ...(store === undefined ? { dataDir: join(data, "hub") } : { store }),
      ...(given.value("host") !== undefined && { host: given.value("host")! }),
      ...(appDir !== undefined && { appDir }),
      ...(given.value("public-url") !== undefined && { publicUrl: given.value("public-url")! }),
      ...(given.value("metrics-token") !== undefined && { metricsToken: given.value("metrics-token")! }),
      trustProxy: readProxies(given.value("proxies")) ?? given.has("trust-proxy"),
      drainMs,
      ...(bus !== undefined && { bus }),
      ...limits,
      bot: () => (bot === null ? null : { address: bot.address, games: bot.games }),
      ...(logging === undefined ? { log: (message: string) => console.note(message) } : { logging }),
    },
    port,
  );
  if (logging !== undefined) note = (text) => server.note(inertLine(text));
  const close = given.has("no-bot") ? undefined : await startBot(server, data, note);
  bot = close?.bot ?? null;
  console.out(server.url.replace(/\/$/, ""));
  note(
    `${appDir === undefined ? "Hub and relay" : "Hub, relay and app"}; data in ${store === undefined ? data : "PostgreSQL"}`,
  );
  await stopped;
  note("stopping");
  close?.();
  await server.close();
  return EXIT.ok;
}

/** The database that nodes share, where one is named. */
async function openStore(given: Arguments, quota: QuotaOptions): Promise<Store | undefined> {
  const url = given.value("store");
  const connections = given.value("store-connections") ?? "10";
  if (!/^[1-9]\d{0,2}$|^1000$/.test(connections))
    throw new Unusable(`--store-connections ${connections}: a whole number from 1 to 1000`);
  if (url === undefined) return undefined;
  try {
    return await openPostgres({ url, connections: Number(connections) }, quota);
  } catch (error) {
    throw new Unusable(`--store: ${errorText(error)}`);
  }
}

/** What joins this node's relay to the others', where it is named. */
function openBus(given: Arguments, note: (text: string) => void): RelayBus | undefined {
  const url = given.value("bus");
  if (url === undefined) return undefined;
  try {
    return new NatsBus({ url, clock: systemClock, note });
  } catch (error) {
    throw new Unusable(`--bus: ${errorText(error)}`);
  }
}

/** Lines of JSON on standard error, where the notes go else. */
function readLogging(given: Arguments): Logging | undefined {
  const form = given.value("log") ?? "text";
  const level = given.value("log-level") ?? "info";
  const known = LOG_LEVELS.find((name) => name === level);
  if (known === undefined) throw new Unusable(`--log-level ${level}: a level is ${LOG_LEVELS.join(", ")}`);
  if (form === "text") return undefined;
  if (form !== "json") throw new Unusable(`--log ${form}: a log is text or json`);
  return { level: known, write: (line) => void process.stderr.write(line) };
}

function readDrainSeconds(text = "0"): number {
  if (!/^[0-4]$/.test(text)) throw new Unusable(`--drain-seconds ${text}: a whole number from 0 to 4`);
  return Number(text);
}

/** A number of proxies, or a list of their addresses. */
function readProxies(text: string | undefined): number | readonly string[] | undefined {
  if (text === undefined) return undefined;
  return /^\d{1,2}$/.test(text) ? Number(text) : text.split(",").map((entry) => entry.trim());
}

async function start(options: Parameters<typeof startServer>[0], port: number): Promise<RunningServer> {
  try {
    return await startServer(options);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EADDRINUSE")
      throw new Unusable(`port ${port} is taken: stop what runs there, or give another with --port`);
    if (code === "EACCES") throw new Unusable(`port ${port} needs other rights: give another with --port`);
    throw new Unusable(errorText(error));
  }
}

/** The bot over its own server's port, like any other participant. */
async function startBot(
  server: RunningServer,
  data: string,
  note: (text: string) => void,
): Promise<(() => void) & { readonly bot: Bot }> {
  const folder = join(data, "bot");
  const url = `http://127.0.0.1:${server.port}`;
  const channel = openRelay(relayOf(url));
  const environment = await openPeerEnvironment(folder, openHub(url), channel);
  const log = openLog(environment, await keyNamed(folder, "bot"));
  const bot = openBot(environment, log, {
    games: GAMES.map(({ name }) => name),
    onEvent: note,
  });
  note(`bot: ${bot.address}`);
  const close = () => {
    bot.close();
    log.close();
    channel.close();
  };
  return Object.assign(close, { bot });
}

/** Resolves at the first signal; a second one, or a stop that takes too long, ends the process at once. */
function untilSignal(): Promise<void> {
  return new Promise((done) => {
    const stop = () => {
      process.once("SIGINT", () => process.exit(130));
      process.once("SIGTERM", () => process.exit(143));
      setTimeout(() => process.exit(1), STOP_MS).unref();
      done();
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, stop);
  });
}
