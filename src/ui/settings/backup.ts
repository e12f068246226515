// Backups as the app makes and reads them: a key file with the key's salts, or the salts of a wallet of the browser.
// Bringing one in never renames, replaces or invents a key.

import type { Json } from "../../core/canonical.ts";
import type { Address } from "../../core/values.ts";
import type { Store } from "../../platform/key-value-store.ts";
import { exportDomainKeys, importDomainKeys } from "../../peer/domain-keys.ts";
import { exportSalts, importSalts } from "../../peer/salts.ts";
import { backUpKey, backUpSalts, openBackup } from "../../wallet/backup.ts";
import type { OnProgress, ScryptCost } from "../../wallet/key-derivation.ts";
import { VaultError, type VaultKey } from "../../wallet/vault.ts";
import type { AppEnvironment } from "../services/environment.ts";
import { freeName, remember, type KeyHolder } from "../services/vault-keys.ts";

/** What a backup needs of the app. */
export type BackupEnvironment = KeyHolder & Pick<AppEnvironment, "store">;

export const MIN_PASSWORD = 8;

export interface BackupFile {
  readonly name: string;
  readonly text: string;
}

export interface BackupWork {
  readonly password: string;
  readonly onProgress?: OnProgress;
  /** For tests: less work. */
  readonly cost?: ScryptCost;
}

/** @throws VaultError, StoreError */
export async function backupOfKey(
  { vault, store, random }: BackupEnvironment,
  { address, name }: VaultKey,
  { password, ...work }: BackupWork,
): Promise<BackupFile> {
  const [secret, salts] = [await vault.secret(address), await exportSecrets(store, address)];
  const text = await backUpKey({ secret, name, salts }, password, { random, ...work });
  return { name: `coop-key-${plainName(name)}-${address.slice(2, 8)}.json`, text };
}

/** Salts of commits and keys of private sessions, in one list: each import takes what is its own. */
async function exportSecrets(store: Store, address: Address): Promise<Json> {
  return [...(await exportSalts(store, address)), ...(await exportDomainKeys(store, address))];
}

/** Of a wallet whose key is its own: what opens its commits and its private sessions. @throws StoreError */
export async function backupOfSalts(
  { store, random }: BackupEnvironment,
  address: Address,
  { password, ...work }: BackupWork,
): Promise<BackupFile> {
  const salts = await exportSecrets(store, address);
  const text = await backUpSalts({ address, salts }, password, { random, ...work });
  return { name: `coop-salts-${address.slice(2, 8)}.json`, text };
}

export interface Restored {
  readonly address: Address;
  /** null where the file held salts alone. */
  readonly key: VaultKey | null;
  /** The key was here already, under this name. */
  readonly known: boolean;
  /** Salts that were not here before. */
  readonly salts: number;
  /** Keys of private sessions that were not here before. */
  readonly domainKeys: number;
}

/** @throws KeyFileError, VaultError, StoreError */
export async function restoreBackup(
  environment: BackupEnvironment,
  text: string,
  { password, onProgress }: Omit<BackupWork, "cost">,
): Promise<Restored> {
  const { vault, store } = environment;
  const { address, secret, name, salts } = await openBackup(text, password, onProgress);
  const keys = await vault.list();
  const here = keys.find((key) => key.address === address);
  let key = here ?? null;
  if (secret !== null && here === undefined) {
    key = await vault.add(nameFor(name, keys, address), secret);
    if ((await vault.secret(address)) !== secret)
      throw new VaultError("unreadable", "the key was not read back as it was written");
    remember(environment, key);
  }
  return {
    address,
    key,
    known: here !== undefined,
    salts: await importSalts(store, address, salts),
    domainKeys: await importDomainKeys(store, address, salts),
  };
}

/** The name it had, with a number where another key has that by now. */
function nameFor(name: string | null, keys: readonly VaultKey[], address: Address): string {
  const taken = new Set(keys.filter((key) => key.address !== address).map((key) => key.name));
  const wanted = [...(name ?? "")].slice(0, 50).join("").trim();
  if (wanted === "") return freeName(taken);
  for (let i = 1; ; i++) {
    const numbered = i === 1 ? wanted : `${wanted} ${i}`;
    if (!taken.has(numbered)) return numbered;
  }
}

/** A name that any file system takes. */
function plainName(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "unnamed"
  );
}
