// Keys of private sessions as this machine keeps them: K_d of each domain, and for a wallet that signs and does not
// decrypt a reading key of its own, to which K_d is sealed in the wallet's place. Secret, like keys; in its backups.

import { fromBase64url, fromHex, toBase64url, toHex } from "../core/bytes.ts";
import { canonicalize, isObject, own, parseJson, type Json } from "../core/canonical.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { DOMAIN_KEY_BYTES, domainKeyHash, fitsDomain } from "../core/sealed.ts";
import { isText, type Domain } from "../core/session.ts";
import { isAddress, isHash, type Address, type Hash } from "../core/values.ts";
import { MoveError } from "../log/move-error.ts";
import type { Store } from "../platform/key-value-store.ts";
import type { RandomBytes } from "../platform/random-bytes.ts";
import type { PublicKeyHex } from "../wallet/ecies.ts";
import type { Wallet } from "../wallet/wallet.ts";

/** Keys under these beginnings are secret. */
export const DOMAIN_KEYS = "domain/";
export const READING_KEYS = "reading/";

/** Why the moves of a private session cannot be read here. */
export type KeyProblem =
  /** A watcher without the link's key. */
  | "no-key"
  /** The genesis seals the key to others only. */
  | "not-sealed"
  /** What the genesis seals to this wallet does not open with its keys here. */
  | "does-not-open"
  /** It opens, to a key that is not the session's. */
  | "wrong-key";

export function describeKeyProblem(problem: KeyProblem): string {
  switch (problem) {
    case "no-key":
      return "Private: only players and holders of the link can read the moves.";
    case "not-sealed":
      return "The host did not seal the key of this private session to you. Do not play: you cannot read the moves.";
    case "does-not-open":
      return "The key that the host sealed to you does not open with the keys of this wallet here. Import the wallet's backup, or do not play.";
    case "wrong-key":
      return "The host sealed a wrong key to you: it is not the key of this session. Do not play: you cannot read the moves.";
  }
}

interface KeptDomain {
  readonly id: string;
  readonly key: Uint8Array;
  /** Made by this wallet: only such a key serves further sessions, since all who hold it are the wallet's own guests. */
  readonly own: boolean;
}

const domainPath = (wallet: Address, hash: Hash): string => `${DOMAIN_KEYS}${wallet}/${hash}`;

async function keepDomain(store: Store, wallet: Address, kept: KeptDomain): Promise<boolean> {
  const { id, key, own: isOwn } = kept;
  const text = canonicalize({ id, key: toBase64url(key), own: isOwn });
  return store.add(domainPath(wallet, domainKeyHash(key)), text);
}

function readDomain(value: Json | undefined): KeptDomain | undefined {
  if (!isObject(value)) return undefined;
  const [id, text] = [own(value, "id"), own(value, "key")];
  const key = typeof text === "string" ? fromBase64url(text) : undefined;
  if (!isText(id, 1, 200) || key?.length !== DOMAIN_KEY_BYTES) return undefined;
  return { id, key, own: own(value, "own") === true };
}

async function keptDomains(store: Store, wallet: Address): Promise<KeptDomain[]> {
  const found: KeptDomain[] = [];
  for (const path of await store.keys(`${DOMAIN_KEYS}${wallet}/`)) {
    const kept = readDomain(parseJson((await store.get(path)) ?? ""));
    if (kept !== undefined) found.push(kept);
  }
  return found;
}

/** K_d with this hash, whichever wallet of this machine has it. @throws StoreError */
export async function findDomainKey(store: Store, hash: Hash): Promise<Uint8Array | undefined> {
  for (const path of await store.keys(DOMAIN_KEYS)) {
    if (!path.endsWith(`/${hash}`)) continue;
    const kept = readDomain(parseJson((await store.get(path)) ?? ""));
    if (kept !== undefined && domainKeyHash(kept.key) === hash) return kept.key;
  }
  return undefined;
}

const UNNAMED = "private-";
const isUnnamed = (id: string): boolean => id.startsWith(UNNAMED);

/**
 * The domain of a new session: that of this name which the wallet made before, else a new one with a random key, kept
 * before anything is signed. Without a name it serves one session. @throws MoveError `no-storage`, `no-session`
 */
export async function newDomain(
  store: Store,
  random: RandomBytes,
  wallet: Address,
  name: string | undefined,
): Promise<{ readonly id: string; readonly key: Uint8Array }> {
  if (name !== undefined && (!isText(name, 1, 200) || isUnnamed(name)))
    throw new MoveError(
      "no-session",
      `a domain's name has 1 to 200 characters, and does not begin with ${UNNAMED}`,
    );
  const known = (await keptDomains(store, wallet)).find((kept) => kept.own && kept.id === name);
  if (known !== undefined) return known;
  const id = name ?? UNNAMED + toHex(random(8)).slice(2);
  const key = random(DOMAIN_KEY_BYTES);
  if (key.length !== DOMAIN_KEY_BYTES) throw new MoveError("no-storage", "no randomness for a key");
  await keepSecret(() => keepDomain(store, wallet, { id, key, own: true }));
  if ((await findDomainKey(store, domainKeyHash(key))) === undefined)
    throw new MoveError("no-storage", "the session's key was not read back, so nothing was signed");
  return { id, key };
}

async function keepSecret(keep: () => Promise<unknown>): Promise<void> {
  try {
    await keep();
  } catch (cause) {
    throw new MoveError("no-storage", "the key could not be stored, so nothing was signed", { cause });
  }
}

/** The reading key of a wallet that does not decrypt, kept here if it was made before. @throws StoreError */
async function findReadingKey(store: Store, wallet: Address): Promise<Hash | undefined> {
  const kept = await store.get(READING_KEYS + wallet);
  return isHash(kept) ? kept : undefined;
}

/**
 * The public part of the wallet's reading key, made on first use; undefined for a wallet that decrypts itself.
 * @throws MoveError `no-storage`
 */
export async function readingKeyOf(
  store: Store,
  random: RandomBytes,
  wallet: Pick<Wallet, "address" | "openSealed">,
): Promise<PublicKeyHex | undefined> {
  if (wallet.openSealed !== undefined) return undefined;
  const { newSecret, publicKeyOf } = await import("../wallet/ecies.ts");
  // Where another tab comes first, its key is the one.
  await keepSecret(() => store.add(READING_KEYS + wallet.address, newSecret(random)));
  const kept = await findReadingKey(store, wallet.address);
  if (kept === undefined)
    throw new MoveError("no-storage", "the reading key was not read back, so nothing was signed");
  return publicKeyOf(kept);
}

/**
 * K_d of a session's domain: kept here, or opened from what the genesis seals to the wallet or to its reading key; kept
 * from then on. @throws StoreError
 */
export async function openDomain(
  store: Store,
  wallet: Pick<Wallet, "address" | "openSealed">,
  domain: Domain,
): Promise<Result<Uint8Array, KeyProblem>> {
  const known = await findDomainKey(store, domain.key_hash);
  if (known !== undefined) return ok(known);
  const problems = new Set<KeyProblem>();
  for await (const opened of openings(store, wallet, domain)) {
    if (opened !== undefined && fitsDomain(domain, opened)) {
      await keepDomain(store, wallet.address, { id: domain.id, key: opened, own: false });
      return ok(opened);
    }
    problems.add(opened === undefined ? "does-not-open" : "wrong-key");
  }
  return fail(problems.has("wrong-key") ? "wrong-key" : ([...problems][0] ?? "not-sealed"));
}

/** What each part that is sealed to the wallet opens to. */
async function* openings(
  store: Store,
  wallet: Pick<Wallet, "address" | "openSealed">,
  { keys }: Domain,
): AsyncGenerator<Uint8Array | undefined> {
  const sealed = keys[wallet.address];
  if (sealed !== undefined && wallet.openSealed !== undefined) yield wallet.openSealed(fromHex(sealed));
  const secret = await findReadingKey(store, wallet.address);
  if (secret === undefined) {
    if (sealed !== undefined && wallet.openSealed === undefined) yield undefined;
    return;
  }
  const { addressOfPublicKey, openSealed, publicKeyOf } = await import("../wallet/ecies.ts");
  const other = keys[addressOfPublicKey(publicKeyOf(secret))];
  for (const part of [sealed, other]) if (part !== undefined) yield openSealed(secret, fromHex(part));
}

/** What is in a wallet's backup of its private sessions: secret, like the key. */
export async function exportDomainKeys(store: Store, wallet: Address): Promise<Json[]> {
  const domains = (await keptDomains(store, wallet)).map(({ id, key, own: isOwn }): Json => ({
    domain: id,
    key: toBase64url(key),
    own: isOwn,
  }));
  const reading = await findReadingKey(store, wallet);
  return reading === undefined ? domains : [...domains, { reading_key: reading }];
}

/** Keeps the keys of a backup; what is here already stays as it is. Resolves with how many were new. */
export async function importDomainKeys(store: Store, wallet: Address, backup: Json): Promise<number> {
  let fresh = 0;
  for (const one of Array.isArray(backup) ? (backup as readonly Json[]) : []) {
    if (!isObject(one) || !isAddress(wallet)) continue;
    const reading = own(one, "reading_key");
    const kept = readDomain({ ...one, id: own(one, "domain") ?? null });
    if (isHash(reading) && (await store.add(READING_KEYS + wallet, reading))) fresh++;
    if (kept !== undefined && (await keepDomain(store, wallet, kept))) fresh++;
  }
  return fresh;
}
