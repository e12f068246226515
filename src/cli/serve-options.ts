// The options of `coop serve`, one row each, and where their values come from: a flag, else the environment (COOP_PORT for
// --port), else a file of the same names (--config). docs/operations.md has the same rows; a test compares both.

import { parseEnv } from "node:util";
import { readArguments, type Arguments } from "./arguments.ts";
import { Unusable } from "./console.ts";
import { LIMIT_NAMES } from "./serve-limits.ts";

export interface ServeOption {
  readonly name: string;
  /** What its value is called; undefined: a switch. */
  readonly value?: string;
  readonly default: string;
  readonly says: string;
}

export const SERVE_OPTIONS: readonly ServeOption[] = [
  { name: "port", value: "N", default: "8787", says: "port; 0 takes a free one" },
  {
    name: "host",
    value: "ADDRESS",
    default: "127.0.0.1",
    says: "address to listen on; 0.0.0.0 for everybody",
  },
  { name: "data", value: "DIR", default: ".data", says: "where the Hub and the bot's key are kept" },
  {
    name: "store",
    value: "URL",
    default: "none",
    says: "PostgreSQL that nodes share, postgres://user@host/database, in place of the folder's store",
  },
  { name: "store-connections", value: "N", default: "10", says: "connections to it at once, 1 to 1000" },
  {
    name: "bus",
    value: "URL",
    default: "none",
    says: "NATS that joins the relays of nodes, nats://host:4222; several with commas",
  },
  { name: "app", value: "DIR", default: "dist/app, if it is there", says: "the built app" },
  { name: "no-app", default: "off", says: "without the app" },
  { name: "no-bot", default: "off", says: "without the bot" },
  {
    name: "public-url",
    value: "URL",
    default: "none",
    says: "where it is reached from outside, e.g. https://host/coop/ behind a proxy",
  },
  { name: "trust-proxy", default: "off", says: "one proxy in front names the clients (X-Forwarded-For)" },
  {
    name: "proxies",
    value: "N or IPS",
    default: "none",
    says: "so many proxies do, or those with these addresses: 10.0.0.0/8,::1",
  },
  { name: "log", value: "text or json", default: "text", says: "notes for people, or lines for programs" },
  {
    name: "log-level",
    value: "LEVEL",
    default: "info",
    says: "of --log json: fatal, error, warn, info or debug",
  },
  {
    name: "metrics-token",
    value: "TOKEN",
    default: "none",
    says: "who shows it (Authorization: Bearer) may read /metrics; without one this machine alone",
  },
  {
    name: "drain-seconds",
    value: "N",
    default: "0",
    says: "a node that stops takes requests for so long still, 0 to 4",
  },
  { name: "limit-loopback", default: "off", says: "the limits by address hold for this machine, too" },
];

export const OPTIONS_HELP = SERVE_OPTIONS.map(({ name, value, says, ...option }) => {
  const flag = `--${name}${value === undefined ? "" : ` ${value}`}`;
  const standard = value === undefined || option.default === "none" ? "" : ` (default ${option.default})`;
  return `  ${flag.padEnd(22)} ${says}${standard}`;
}).join("\n");

const VALUES = [
  ...SERVE_OPTIONS.filter(({ value }) => value !== undefined).map(({ name }) => name),
  ...LIMIT_NAMES,
];
const SWITCHES = SERVE_OPTIONS.filter(({ value }) => value === undefined).map(({ name }) => name);

/** COOP_PUBLIC_URL for public-url. */
export function variableOf(name: string): string {
  return `COOP_${name.toUpperCase().replaceAll("-", "_")}`;
}

export interface SettingSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** @throws where there is no such file */
  readonly readFile: (path: string) => string;
}

/** @throws Unusable naming the flag, variable or line that cannot be used */
export function readSettings(args: readonly string[], { environment, readFile }: SettingSources): Arguments {
  const given = readArguments(args, { values: ["config", ...VALUES], switches: SWITCHES }, 0);
  const path = given.value("config") ?? environment[variableOf("config")];
  const file = path === undefined || path === "" ? {} : readConfig(path, readFile);
  const setting = (name: string): string | undefined => {
    const text = environment[variableOf(name)] || file[variableOf(name)];
    return text === "" ? undefined : text;
  };
  return {
    ...given,
    value: (name) => given.value(name) ?? setting(name),
    has: (name) => given.has(name) || isOn(name, setting(name)),
  };
}

function isOn(name: string, text: string | undefined): boolean {
  if (text === undefined || /^(0|false|no|off)$/i.test(text)) return false;
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  throw new Unusable(`${variableOf(name)}=${text}: a switch is true or false`);
}

/** Lines `COOP_PORT=8787`, with `#` before comments: the form of systemd's EnvironmentFile and of Docker's env_file. */
function readConfig(path: string, readFile: SettingSources["readFile"]): Record<string, string | undefined> {
  let text: string;
  try {
    text = readFile(path);
  } catch {
    throw new Unusable(`--config ${path}: the file cannot be read`);
  }
  const found = parseEnv(text) as Record<string, string>;
  const known = new Set([...VALUES, ...SWITCHES].map(variableOf));
  for (const name of Object.keys(found))
    if (!known.has(name))
      throw new Unusable(`--config ${path}: ${name} is no option of coop serve: see coop serve --help`);
  return found;
}
