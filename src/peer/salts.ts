// Salts of commitments: 32 bytes that nobody can guess, kept before the commit is signed, found again by session and
// commitment. Without a salt a commit can never be opened, so a store that cannot keep one stops the commit; and a
// throw-away key derives its salts, so that the key's backup brings them back.

import { toHex } from "../core/bytes.ts";
import { canonicalize, isObject, own, parseJson, type Json } from "../core/canonical.ts";
import { isHash, isRef, type Address, type Hash, type Ref } from "../core/values.ts";
import { commitmentOf, type Commitment } from "../games/commit-reveal.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { RandomBytes } from "../platform/random-bytes.ts";
import { MoveError } from "../log/move-error.ts";
import type { Store } from "../platform/key-value-store.ts";

export interface KeptSalt {
  readonly value: string;
  readonly salt: Hash;
  readonly round: number;
}

/** What the keys of salts in a store begin with. */
export const SALTS = "salt/";

const keyOf = (session: Ref, commitment: Hash): string => `${SALTS}${session}/${commitment}`;

/** Secret bytes for a purpose, from a wallet's own key (`Wallet.deriveSecret`). */
export type Derive = (purpose: string) => Uint8Array;

/**
 * The salt that a key gives for one value of one round of one session. The value is part of what it is derived
 * from, so no two commitments ever share a salt, and opening one tells nothing of another.
 */
export function derivedSalt(derive: Derive, what: Omit<Commitment, "salt">): Hash {
  const { session, wallet, round, value } = what;
  return toHex(derive(canonicalize({ for: "salt", session, wallet, round, value })));
}

/**
 * Makes and keeps a salt: derived where the wallet's key is ours, drawn where it is not. Resolves with the
 * commitment once the store gave it back. @throws MoveError `no-storage`
 */
export async function keepSalt(
  store: Store,
  random: RandomBytes,
  what: { readonly session: Ref; readonly wallet: Address; readonly round: number; readonly value: string },
  derive?: Derive,
): Promise<Hash> {
  const salt = derive === undefined ? drawnSalt(random) : derivedSalt(derive, what);
  const hash = commitmentOf({ ...what, salt });
  const { round, value } = what;
  await keep(store, keyOf(what.session, hash), canonicalize({ salt, round, value }));
  return hash;
}

function drawnSalt(random: RandomBytes): Hash {
  const drawn = random(32);
  if (drawn.length !== 32) throw new MoveError("no-storage", "no randomness for a salt");
  return toHex(drawn);
}

async function keep(store: Store, key: string, text: string): Promise<void> {
  let back: string | undefined;
  try {
    await store.put(key, text);
    back = await store.get(key);
  } catch (error) {
    throw new MoveError("no-storage", "the salt could not be stored, so nothing was signed", {
      cause: error,
    });
  }
  if (back !== text) throw new MoveError("no-storage", "the salt was not read back, so nothing was signed");
}

/**
 * Finds the salt of a commitment again that the store has lost: the key derives it, if one of the values is the
 * one committed to. Kept again where that is possible; undefined where none of the values fits.
 */
export async function recoverSalt(
  store: Store,
  derive: Derive,
  what: {
    readonly session: Ref;
    readonly wallet: Address;
    readonly round: number;
    readonly commitment: Hash;
  },
  values: Iterable<string>,
): Promise<KeptSalt | undefined> {
  const { session, wallet, round, commitment } = what;
  for (const value of values) {
    const salt = derivedSalt(derive, { session, wallet, round, value });
    if (commitmentOf({ session, wallet, round, value, salt }) !== commitment) continue;
    // Opening it does not need the store, so one that is full is no reason not to.
    await store.put(keyOf(session, commitment), canonicalize({ salt, round, value })).catch(() => undefined);
    return { salt, round, value };
  }
  return undefined;
}

/** The salt of a commitment that this store keeps, or undefined. */
export async function findSalt(store: Store, session: Ref, commitment: Hash): Promise<KeptSalt | undefined> {
  return readSalt(parseJson((await store.get(keyOf(session, commitment))) ?? ""));
}

function readSalt(kept: Json | undefined): KeptSalt | undefined {
  if (!isObject(kept)) return undefined;
  const salt = own(kept, "salt");
  const round = own(kept, "round");
  const value = own(kept, "value");
  if (!isHash(salt) || typeof round !== "number" || typeof value !== "string") return undefined;
  return { salt, round, value };
}

/** The salt of an own commit: kept here, or derived again where the wallet can and one of the values is the right one. */
export async function saltOf(
  store: Store,
  wallet: Pick<Wallet, "address" | "deriveSecret">,
  session: Ref,
  { commitment, round }: { readonly commitment: Hash; readonly round: number },
  values: Iterable<string>,
): Promise<KeptSalt | undefined> {
  const kept = await findSalt(store, session, commitment);
  if (kept !== undefined || wallet.deriveSecret === undefined) return kept;
  const what = { session, wallet: wallet.address, round, commitment };
  return recoverSalt(store, wallet.deriveSecret, what, values);
}

/** All salts of a wallet that this store keeps, for its backup: secret, like the key. */
export async function exportSalts(store: Store, wallet: Address): Promise<readonly Json[]> {
  const salts: Json[] = [];
  for (const key of await store.keys(SALTS)) {
    const [, session, commitment] = key.split("/");
    if (!isRef(session) || !isHash(commitment)) continue;
    const kept = await findSalt(store, session, commitment);
    if (kept !== undefined && commitmentOf({ session, wallet, ...kept }) === commitment)
      salts.push({ session, ...kept });
  }
  return salts;
}

/** Keeps the salts of a backup; those that are here already stay as they are. Resolves with how many were new. */
export async function importSalts(store: Store, wallet: Address, salts: Json): Promise<number> {
  let fresh = 0;
  for (const one of Array.isArray(salts) ? (salts as readonly Json[]) : []) {
    const session = isObject(one) ? own(one, "session") : undefined;
    const kept = readSalt(one);
    if (!isRef(session) || kept === undefined) continue;
    const { salt, round, value } = kept;
    // The key is made from the content, so a backup can say nothing of any commitment but its own.
    const key = keyOf(session, commitmentOf({ session, wallet, ...kept }));
    if (await store.add(key, canonicalize({ salt, round, value }))) fresh++;
  }
  return fresh;
}
