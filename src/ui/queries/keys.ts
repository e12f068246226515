// The keys in the vault as a query, and what is done with them. A backup is a JSON file: a list of names and keys.

import { queryOptions } from "@tanstack/react-query";
import { canonicalize, isObject, own, parseJson, type Json } from "../../core/canonical.ts";
import { generateSecret, type SecretHex } from "../../wallet/local-key.ts";
import type { Vault, VaultKey } from "../../wallet/vault.ts";
import type { AppEnvironment } from "./environment.ts";

export function keysQuery(vault: Vault) {
  return queryOptions({ queryKey: ["keys"], queryFn: () => vault.list() });
}

const NAMES = [
  "Amber",
  "Birch",
  "Cedar",
  "Delta",
  "Ember",
  "Fjord",
  "Grove",
  "Heron",
  "Iris",
  "Juniper",
  "Kite",
  "Larch",
];

/** Makes a throw-away key under a name that is not taken. @throws VaultError */
export async function addKey({ vault, random }: Pick<AppEnvironment, "vault" | "random">): Promise<VaultKey> {
  const taken = new Set((await vault.list()).map(({ name }) => name));
  return vault.add(freeName(taken), generateSecret(random));
}

/** The first name that is free; names go round with a number. */
export function freeName(taken: ReadonlySet<string>): string {
  for (let i = 0; ; i++) {
    const name = NAMES[i % NAMES.length]!;
    const numbered = i < NAMES.length ? name : `${name} ${Math.floor(i / NAMES.length) + 1}`;
    if (!taken.has(numbered)) return numbered;
  }
}

const FORMAT = "coop-keys/1";

export interface BackedUpKey {
  readonly name: string;
  readonly secret: SecretHex;
}

/** The text of a backup file. @throws VaultError */
export async function backupOf(vault: Vault, keys: readonly VaultKey[]): Promise<string> {
  const list: Json[] = [];
  for (const { address, name } of keys) list.push({ address, name, secret: await vault.secret(address) });
  return `${canonicalize({ format: FORMAT, keys: list })}\n`;
}

/** The keys of a backup file. @throws Error where it is none, or one of its keys is damaged */
export function readBackup(text: string): readonly BackedUpKey[] {
  const value = parseJson(text);
  const keys = isObject(value) && own(value, "format") === FORMAT ? own(value, "keys") : undefined;
  if (!Array.isArray(keys))
    throw new Error(`This is no backup of keys: it should hold {"format":"${FORMAT}",…}.`);
  return (keys as readonly Json[]).map((key) => {
    const secret = isObject(key) ? own(key, "secret") : undefined;
    const name = isObject(key) ? own(key, "name") : undefined;
    if (typeof secret !== "string" || !isSecret(secret)) throw new Error("A key in this backup is damaged.");
    return { secret, name: typeof name === "string" && name !== "" ? name.slice(0, 60) : "Restored" };
  });
}

function isSecret(text: string): text is SecretHex {
  return /^0x[0-9a-f]{64}$/.test(text);
}
