// Salts of commitments: 32 random bytes each, kept before the commit is signed, found again by session and
// commitment. Without a salt a commit can never be opened, so a store that cannot keep one stops the commit.

import { toHex } from "../core/bytes.ts";
import { canonicalize, isObject, own, parseJson } from "../core/canonical.ts";
import { isHash, type Address, type Hash, type Ref } from "../core/values.ts";
import { commitmentOf, type Commitment } from "../games/commit-reveal.ts";
import type { RandomBytes } from "./environment.ts";
import { MoveError } from "./peer.ts";
import type { Store } from "./store.ts";

export interface KeptSalt {
  readonly value: string;
  readonly salt: Hash;
  readonly round: number;
}

const keyOf = (session: Ref, commitment: Hash): string => `salt/${session}/${commitment}`;

/** Draws and keeps a salt; resolves with the commitment once the store gave it back. @throws MoveError `no-storage` */
export async function keepSalt(
  store: Store,
  random: RandomBytes,
  what: { readonly session: Ref; readonly wallet: Address; readonly round: number; readonly value: string },
): Promise<Hash> {
  const drawn = random(32);
  if (drawn.length !== 32) throw new MoveError("no-storage", "no randomness for a salt");
  const commitment: Commitment = { ...what, salt: toHex(drawn) };
  const hash = commitmentOf(commitment);
  const { salt, round, value } = commitment;
  const text = canonicalize({ salt, round, value });
  const key = keyOf(what.session, hash);
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
  return hash;
}

/** The salt of a commitment that this store keeps, or undefined. */
export async function findSalt(store: Store, session: Ref, commitment: Hash): Promise<KeptSalt | undefined> {
  const kept = parseJson((await store.get(keyOf(session, commitment))) ?? "");
  if (!isObject(kept)) return undefined;
  const salt = own(kept, "salt");
  const round = own(kept, "round");
  const value = own(kept, "value");
  if (!isHash(salt) || typeof round !== "number" || typeof value !== "string") return undefined;
  return { salt, round, value };
}
