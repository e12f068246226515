// `coop serve`: Hub, relay and app on one port, with the bot, until a signal asks it to stop.

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { openBot, type Bot } from "../bot/bot.ts";
import { openLog } from "../log/log-writer.ts";
import { startServer, type RunningServer } from "../server/server.ts";
import { GAMES } from "../games/judge.ts";
import { readArguments, readPort } from "./arguments.ts";
import { LIMIT_NAMES, LIMITS_HELP, readLimits } from "./serve-limits.ts";
import { EXIT, Unusable, type SafeConsole, type ExitCode } from "./console.ts";
import { keyNamed, openHub, openPeerEnvironment, openRelay, relayOf } from "./ports.ts";
import { errorText } from "../platform/coded-error.ts";

export const SERVE_HELP = `coop serve [--port N] [--host ADDRESS] [--data DIR] [--app DIR | --no-app] [--no-bot] [--public-url URL] [--trust-proxy] [limits]

Serves the Hub, the relay and the app on one port until stopped by a signal.
  --port N        default 8787; 0 takes a free one
  --host ADDRESS  default 127.0.0.1; 0.0.0.0 for everybody
  --data DIR      where the Hub and the bot's key are kept (default .data)
  --app DIR       the built app (default dist/app, if it is there)
  --no-bot        without the bot
  --public-url U  where it is reached from outside, e.g. https://host/coop/ behind a proxy
  --trust-proxy   one proxy in front names the clients (X-Forwarded-For)
  --proxies N|IPS so many proxies do, or those with these addresses: 10.0.0.0/8,::1
${LIMITS_HELP}
Exit: 0 stopped by a signal, 3 it could not be started.`;

const DEFAULT_PORT = 8787;
const APP = fileURLToPath(new URL("../../dist/app", import.meta.url));
/** A second signal, or this long after the first, ends the process without waiting. */
const STOP_MS = 10_000;

export async function serve(args: readonly string[], console: SafeConsole): Promise<ExitCode> {
  const flags = {
    values: ["port", "host", "data", "app", "public-url", "proxies", ...LIMIT_NAMES],
    switches: ["no-app", "no-bot", "trust-proxy", "limit-loopback"],
  };
  const given = readArguments(args, flags, 0);
  const port = readPort(given.value("port") ?? String(DEFAULT_PORT));
  const data = resolve(given.value("data") ?? ".data");
  const appDir = given.has("no-app")
    ? undefined
    : (given.value("app") ?? (existsSync(APP) ? APP : undefined));
  let bot: Bot | null = null;
  const stopped = untilSignal();
  const server = await start(
    {
      port,
      dataDir: join(data, "hub"),
      ...(given.value("host") !== undefined && { host: given.value("host")! }),
      ...(appDir !== undefined && { appDir }),
      ...(given.value("public-url") !== undefined && { publicUrl: given.value("public-url")! }),
      trustProxy: readProxies(given.value("proxies")) ?? given.has("trust-proxy"),
      ...readLimits(given),
      bot: () => (bot === null ? null : { address: bot.address, games: bot.games }),
      log: (message) => console.note(message),
    },
    port,
  );
  const close = given.has("no-bot") ? undefined : await startBot(server, data, console);
  bot = close?.bot ?? null;
  console.out(server.url.replace(/\/$/, ""));
  console.note(`${appDir === undefined ? "Hub and relay" : "Hub, relay and app"}; data in ${data}`);
  await stopped;
  console.note("stopping");
  close?.();
  await server.close();
  return EXIT.ok;
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
  console: SafeConsole,
): Promise<(() => void) & { readonly bot: Bot }> {
  const folder = join(data, "bot");
  const url = `http://127.0.0.1:${server.port}`;
  const channel = openRelay(relayOf(url));
  const environment = await openPeerEnvironment(folder, openHub(url), channel);
  const log = openLog(environment, await keyNamed(folder, "bot"));
  const bot = openBot(environment, log, {
    games: GAMES.map(({ name }) => name),
    onEvent: (text) => console.note(text),
  });
  console.note(`bot: ${bot.address}`);
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
