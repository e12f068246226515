// Arguments of the commands, by node:util parseArgs, with errors that name the argument.

import { parseArgs } from "node:util";
import { Unusable } from "./console.ts";
import { errorText } from "../platform/coded-error.ts";

export interface Flags {
  /** Names with a value. */
  readonly values?: readonly string[];
  /** Names with a value that may stand several times. */
  readonly lists?: readonly string[];
  /** Names without one. */
  readonly switches?: readonly string[];
}

export interface Arguments {
  readonly positionals: readonly string[];
  value(name: string): string | undefined;
  /** All values of a name that may stand several times, in order. */
  list(name: string): readonly string[];
  has(name: string): boolean;
}

/** @throws Unusable naming the argument that is wrong */
export function readArguments(args: readonly string[], flags: Flags, most: number): Arguments {
  const options: Record<string, { type: "string" | "boolean"; short?: string; multiple?: boolean }> = {
    help: { type: "boolean", short: "h" },
  };
  for (const name of flags.values ?? []) options[name] = { type: "string" };
  for (const name of flags.lists ?? []) options[name] = { type: "string", multiple: true };
  for (const name of flags.switches ?? []) options[name] = { type: "boolean" };
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new Unusable(errorText(error));
  }
  const extra = parsed.positionals[most];
  if (extra !== undefined)
    throw new Unusable(`what is ${JSON.stringify(extra)}? There is one argument too many.`);
  return {
    positionals: parsed.positionals,
    value: (name) => {
      const value = parsed.values[name];
      return typeof value === "string" ? value : undefined;
    },
    list: (name) => {
      const values = parsed.values[name];
      return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
    },
    has: (name) => parsed.values[name] === true,
  };
}

/** A port number. @throws Unusable */
export function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new Unusable(`--port ${text}: a port is 0 to 65535`);
  return port;
}
