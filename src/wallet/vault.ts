// Where local keys are kept: several, each with a name. What is gone is said to be gone; nothing here ever makes
// a new key in the place of one that cannot be read.

import { isText } from "../core/session.ts";
import type { Address } from "../core/values.ts";
import { addressOfSecret, type LocalWallet, type SecretHex } from "./wallet.local.ts";
import type { TextSealer } from "../platform/key-value-store.sealed.ts";
import { CodedError } from "../platform/coded-error.ts";

/**
 * How keys lie at rest, for the interface to say. `wrapped`: encrypted by a key that this browser does not give
 * out. `plain`: readable by whoever reads the browser's storage. `file`: a file only its owner may read.
 */
export type Protection = "wrapped" | "plain" | "file";

export interface VaultKey {
  readonly address: Address;
  readonly name: string;
}

/** Every method may fail with a VaultError. */
export interface Vault {
  readonly protection: Protection;
  /** Gives other secrets the protection of a `wrapped` vault; absent from the others. */
  readonly sealer?: TextSealer;
  /** By name, then address. */
  list(): Promise<readonly VaultKey[]>;
  /**
   * Keeps a key under a name (1 to 60 characters) that no other key has, and reads it back. The same key again only
   * renames it.
   */
  add(name: string, secret: SecretHex): Promise<VaultKey>;
  wallet(address: Address): Promise<LocalWallet>;
  /** The key itself, for a backup. */
  secret(address: Address): Promise<SecretHex>;
  rename(address: Address, name: string): Promise<void>;
  remove(address: Address): Promise<void>;
}

export type VaultCode =
  /** No storage here, or it is full: the key is not kept. */
  | "unavailable"
  | "no-such-key"
  /** It is there and cannot be read: damaged, or the wrapping key is gone. */
  | "unreadable"
  /** Others may read the file. */
  | "unsafe-file"
  | "bad-name"
  /** Another key has that name: a name never comes to mean another key. */
  | "name-taken";

export class VaultError extends CodedError<VaultCode> {
  override readonly name = "VaultError";
}

export const MAX_KEY_NAME = 60;

/** @throws VaultError `bad-name` */
export function checkKeyName(name: string): string {
  if (!isText(name, 1, MAX_KEY_NAME))
    throw new VaultError("bad-name", `a name has 1 to ${MAX_KEY_NAME} characters`);
  return name;
}

/** @throws VaultError `name-taken` where a key other than that of `address` has the name */
export function checkNameFree(keys: Iterable<VaultKey>, name: string, address: Address): void {
  for (const key of keys)
    if (key.name === name && key.address !== address)
      throw new VaultError("name-taken", `another key is called ${JSON.stringify(name)}`);
}

/** The secret, if it is the key of that address. @throws VaultError `unreadable` */
export function checkedSecret(address: Address, secret: unknown): SecretHex {
  try {
    if (typeof secret === "string" && addressOfSecret(secret as SecretHex) === address)
      return secret as SecretHex;
  } catch {
    // falls through: not a key at all
  }
  throw new VaultError("unreadable", `what is kept for ${address} is not its key`);
}

/** The order of `Vault.list`. */
export function sortKeys(keys: VaultKey[]): VaultKey[] {
  const before = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return keys.sort((a, b) => before(a.name, b.name) || before(a.address, b.address));
}
