// The keys in the vault as a query, making them, and remembering what they are called when the vault is lost.

import { queryOptions } from "@tanstack/react-query";
import { canonicalize, isObject, parseJson } from "../../core/canonical.ts";
import { isAddress, type Address } from "../../core/values.ts";
import { generateSecret } from "../../wallet/wallet.local.ts";
import type { Vault, VaultKey } from "../../wallet/vault.ts";
import type { AppEnvironment } from "./environment.ts";
import type { StorageWindow } from "./kept-members.ts";

/** How soon keys that could not be read are read again. */
const AGAIN_MS = 3_000;

export function keysQuery(vault: Vault) {
  return queryOptions({
    queryKey: ["keys"],
    queryFn: () => vault.list(),
    refetchInterval: ({ state }) => (state.status === "error" ? AGAIN_MS : false),
  });
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

/** What keys are made and remembered with. */
export type KeyHolder = Pick<AppEnvironment, "vault" | "random" | "texts">;

/** Makes a throw-away key under a name that no key has, nor one that is gone. @throws VaultError */
export async function addKey(holder: KeyHolder): Promise<VaultKey> {
  const { vault, random } = holder;
  const taken = new Set([...(await vault.list()), ...remembered(holder)].map(({ name }) => name));
  const key = await vault.add(freeName(taken), generateSecret(random));
  remember(holder, key);
  return key;
}

/** The first name that is free; names go round with a number. */
export function freeName(taken: ReadonlySet<string>): string {
  for (let i = 0; ; i++) {
    const name = NAMES[i % NAMES.length]!;
    const numbered = i < NAMES.length ? name : `${name} ${Math.floor(i / NAMES.length) + 1}`;
    if (!taken.has(numbered)) return numbered;
  }
}

/** Names of keys made or brought in here outlive the vault's clearing, so that what is gone can be said to be. */
const KEPT = "coop-key-names";

function remembered({ texts }: Pick<KeyHolder, "texts">): readonly VaultKey[] {
  const kept = parseJson(texts.get(KEPT) ?? "");
  if (!isObject(kept)) return [];
  return Object.entries(kept).flatMap(([address, name]): VaultKey[] =>
    isAddress(address) && typeof name === "string" ? [{ address, name }] : [],
  );
}

function rememberAll({ texts }: Pick<KeyHolder, "texts">, keys: readonly VaultKey[]): void {
  texts.set(KEPT, canonicalize(Object.fromEntries(keys.map(({ address, name }) => [address, name]))));
}

/** Notes a key's name. */
export function remember(holder: Pick<KeyHolder, "texts">, key: VaultKey): void {
  rememberAll(holder, [...remembered(holder).filter(({ address }) => address !== key.address), key]);
}

/** For a key that the person has removed, or no longer misses. */
export function forget(holder: Pick<KeyHolder, "texts">, address: Address): void {
  rememberAll(
    holder,
    remembered(holder).filter((key) => key.address !== address),
  );
}

/** Keys that were here and are not: the browser has cleared them, or somebody has. @throws VaultError */
export async function missingKeys(holder: Pick<KeyHolder, "texts" | "vault">): Promise<readonly VaultKey[]> {
  const here = new Set((await holder.vault.list()).map(({ address }) => address));
  return remembered(holder).filter(({ address }) => !here.has(address));
}

/** Reads the keys again when another tab has made, brought in or removed one: it writes down their names. */
export function followKeys(
  page: Pick<StorageWindow, "addEventListener">,
  client: { invalidateQueries(filter: { readonly queryKey: readonly string[] }): Promise<void> },
): void {
  page.addEventListener("storage", ({ key }) => {
    if (key === KEPT || key === null) void client.invalidateQueries({ queryKey: ["keys"] });
  });
}

export function missingKeysQuery(holder: Pick<KeyHolder, "texts" | "vault">) {
  return queryOptions({ queryKey: ["keys", "missing"], queryFn: () => missingKeys(holder) });
}

/** Whether what must be typed before a key is removed was typed: its name. */
export function isConfirmed(typed: string, key: VaultKey): boolean {
  return typed.trim() === key.name.trim();
}
