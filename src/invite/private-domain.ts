// The domain of a private session: its key, sealed to every participant (protocol, Sealed sessions). Each reads by the
// reading key of its accept, else by the public key that its signature gives.

import { toHex } from "../core/bytes.ts";
import { own } from "../core/canonical.ts";
import type { Candidate } from "../core/entry.ts";
import { fail, ok, type Result } from "../core/result.ts";
import { domainKeyHash } from "../core/sealed.ts";
import type { Domain } from "../core/session.ts";
import { signerKey } from "../core/signature.ts";
import type { Address, Ref } from "../core/values.ts";
import type { LogWriter } from "../log/log-writer.ts";
import { MoveError } from "../log/move-error.ts";
import { newDomain, readingKeyOf } from "../peer/domain-keys.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { fetchEntry } from "./invite-entries.ts";

export interface DomainOptions {
  /** A name of the host's own that serves several sessions; without one the key is this session's alone. */
  readonly name?: string | undefined;
  readonly participants: readonly Address[];
  /** An entry of each participant: the invite, its accept, or the head of its log. */
  readonly entries: readonly Ref[];
}

/** The public key to read by that an accept names; a wrong one is an error, since its owner could not read. */
export async function readingKeyIn(accept: Candidate): Promise<Result<`0x${string}` | undefined, string>> {
  const key = own(accept.body, "reading_key");
  if (accept.type !== "accept" || key === undefined) return ok(undefined);
  const { isPublicKey } = await import("../wallet/ecies.ts");
  return isPublicKey(key) ? ok(key) : fail("reading_key is not a compressed public key of secp256k1");
}

/**
 * Makes the domain and keeps its key. The creator reads with its wallet, or with a reading key of its own where that does
 * not decrypt: K_d is then sealed to the address of that key, too. @throws MoveError, HubError, StoreError
 */
export async function makeDomain(
  { hub, store, random }: Pick<PeerEnvironment, "hub" | "store" | "random">,
  log: LogWriter,
  { name, participants, entries }: DomainOptions,
): Promise<Domain> {
  const { addressOfPublicKey, sealTo } = await import("../wallet/ecies.ts");
  const publicKeys = new Map<Address, `0x${string}`>();
  for (const ref of entries) {
    const entry = await fetchEntry(hub, ref);
    if (entry === undefined) throw new MoveError("no-session", `the Hub does not have the entry ${ref}`);
    if (participants.includes(entry.wallet)) publicKeys.set(entry.wallet, await publicKeyIn(entry));
  }
  if (participants.includes(log.address)) {
    const { publicKey } = log.wallet;
    const reading = await readingKeyOf(store, random, log.wallet);
    if (publicKey !== undefined) publicKeys.set(log.address, publicKey);
    if (reading !== undefined) publicKeys.set(addressOfPublicKey(reading), reading);
  }
  const missing = participants.find((wallet) => !publicKeys.has(wallet));
  if (missing !== undefined)
    throw new MoveError(
      "no-session",
      `${missing} has signed nothing yet, so no key can be sealed to it: invite it first`,
    );
  const { id, key } = await newDomain(store, random, log.address, name);
  const keys = Object.fromEntries(
    [...publicKeys].map(([wallet, publicKey]) => [wallet, toHex(sealTo(publicKey, key))]),
  );
  return { id, key_hash: domainKeyHash(key), keys };
}

/** Where K_d goes for the author of an entry whose signature is checked. @throws MoveError */
async function publicKeyIn(entry: Candidate): Promise<`0x${string}`> {
  const reading = await readingKeyIn(entry);
  if (!reading.ok) throw new MoveError("no-session", `${entry.ref}: ${reading.error}`);
  const key = reading.value ?? signerKey(entry);
  if (key === undefined) throw new MoveError("no-session", `${entry.ref}: its signature gives no public key`);
  return key;
}
