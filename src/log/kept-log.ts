// What this machine keeps of a wallet's own log: the entry about to be signed, entries signed and not yet read
// back, the head, and its settled entries until they are released. With these a restart at any point sends the same
// bytes again and signs nothing anew, and a Hub that has lost entries gets them back.

import { canonicalize, isObject, own, parseJson } from "../core/canonical.ts";
import { parseCandidate, wireForm, type Candidate, type UnsignedEntry } from "../core/entry.ts";
import { parseRef, type Address, type Hash, type Ref, type SignatureHex } from "../core/values.ts";
import type { Store } from "../platform/key-value-store.ts";

/** Where the log stands: the seq and hash that the next entry follows; none at its start. */
export interface Head {
  readonly seq: number;
  readonly hash: Hash;
}

/** A signed entry on its way to the Hub. */
export interface OutboxItem {
  readonly entry: Candidate;
  /** Whether an upload was ever begun: from then on the Hub may hold it. */
  readonly sent: boolean;
}

/** A signature's form without being one, so that an entry can be checked before it is signed. */
export const NO_SIGNATURE: SignatureHex = `0x${"00".repeat(65)}`;

/** The entry with no signature yet, checked as if it had one. @throws RangeError naming what is wrong with it */
export function unsignedCandidate(entry: UnsignedEntry): Candidate {
  const parsed = parseCandidate(wireForm({ ...entry, sig: NO_SIGNATURE }));
  if (parsed.ok) return parsed.value;
  const { code, at, expected, found } = parsed.error;
  throw new RangeError(`no entry of the protocol: ${code} at ${at}: expected ${expected}, found ${found}`);
}

const padded = (seq: number): string => String(seq).padStart(16, "0");

export class KeptLog {
  readonly #store: Store;
  readonly #wallet: Address;
  constructor(store: Store, wallet: Address) {
    this.#store = store;
    this.#wallet = wallet;
  }

  /**
   * Takes the place of an entry for signing, after `head`; false where it is not free: another entry is being signed
   * there (in another tab, or before a crash), or the log has grown. Afterwards no other entry is signed at that seq.
   */
  async intend(entry: Candidate): Promise<boolean> {
    if (!(await this.#store.add(this.#intentPrefix + padded(entry.seq), entry.wire))) return false;
    // Where no lock holds, another tab may have come first and be done already: then its entry is in the outbox, or
    // it has moved the head, which it does before it empties the outbox.
    const waiting = await this.outbox();
    const head = await this.head();
    if (waiting.length === 0 && (head === undefined || head.seq < entry.seq)) return true;
    await this.withdraw(entry);
    return false;
  }

  /** The entry that was about to be signed, if any. */
  async intent(): Promise<Candidate | undefined> {
    for (const key of await this.#store.keys(this.#intentPrefix)) {
      const parsed = parseCandidate((await this.#store.get(key)) ?? "");
      if (parsed.ok && parsed.value.wallet === this.#wallet) return parsed.value;
    }
    return undefined;
  }

  /** Gives the place up. Only where no signature over the entry is in anybody's hands, or the entry is kept. */
  withdraw(entry: Candidate): Promise<void> {
    return this.#store.remove(this.#intentPrefix + padded(entry.seq));
  }

  /** Keeps a signed entry; from now on it is what this wallet says at its seq. */
  async keep(entry: Candidate): Promise<void> {
    await this.#put(entry, false);
    await this.withdraw(entry);
  }

  markSent(entry: Candidate): Promise<void> {
    return this.#put(entry, true);
  }

  /** Signed entries not yet read back, by seq. What cannot be read is left alone and not sent. */
  async outbox(): Promise<OutboxItem[]> {
    const items: OutboxItem[] = [];
    for (const key of await this.#store.keys(this.#outboxPrefix)) {
      const value = parseJson((await this.#store.get(key)) ?? "");
      const wire = isObject(value) ? own(value, "wire") : undefined;
      const parsed = typeof wire === "string" ? parseCandidate(wire) : undefined;
      if (parsed?.ok === true)
        items.push({ entry: parsed.value, sent: isObject(value) && own(value, "sent") === true });
    }
    return items;
  }

  /** The entry is on the Hub: keeps a copy, moves the head, then empties its place in the outbox. */
  async settle(entry: Candidate): Promise<void> {
    await this.#store.put(this.#ownPrefix + padded(entry.seq), entry.wire);
    await this.moveHead({ seq: entry.seq, hash: entry.hash });
    await this.drop(entry);
  }

  /** An own entry found elsewhere: where it is newer than the head known here, it is kept like a settled one. */
  async note(entry: Candidate): Promise<void> {
    const head = await this.head();
    if (head !== undefined && head.seq >= entry.seq) return;
    await this.#store.put(this.#ownPrefix + padded(entry.seq), entry.wire);
    await this.moveHead({ seq: entry.seq, hash: entry.hash });
  }

  /** Copies of settled entries that are not released yet, by seq. */
  async own(): Promise<Candidate[]> {
    const entries: Candidate[] = [];
    for (const key of await this.#store.keys(this.#ownPrefix)) {
      const parsed = parseCandidate((await this.#store.get(key)) ?? "");
      if (parsed.ok && parsed.value.wallet === this.#wallet) entries.push(parsed.value);
    }
    return entries;
  }

  /** Drops the copies of these entries: no game rests on them any more. */
  async release(entries: readonly { readonly seq: number }[]): Promise<void> {
    for (const { seq } of entries) await this.#store.remove(this.#ownPrefix + padded(seq));
  }

  drop(entry: Candidate): Promise<void> {
    return this.#store.remove(this.#outboxPrefix + padded(entry.seq));
  }

  async head(): Promise<Head | undefined> {
    const ref = parseRef(await this.#store.get(this.#headKey));
    return ref === undefined ? undefined : { seq: ref.seq, hash: ref.hash };
  }

  /** Moves the head forward; never back. */
  async moveHead(head: Head): Promise<void> {
    const now = await this.head();
    const ref: Ref = `${this.#wallet}:${head.seq}:${head.hash}`;
    if (now === undefined || now.seq < head.seq) await this.#store.put(this.#headKey, ref);
  }

  #put(entry: Candidate, sent: boolean): Promise<void> {
    const text = canonicalize({ sent, wire: entry.wire });
    return this.#store.put(this.#outboxPrefix + padded(entry.seq), text);
  }

  get #intentPrefix(): string {
    return `intent/${this.#wallet}/`;
  }
  get #ownPrefix(): string {
    return `own/${this.#wallet}/`;
  }

  get #headKey(): string {
    return `head/${this.#wallet}`;
  }
  get #outboxPrefix(): string {
    return `outbox/${this.#wallet}/`;
  }
}
