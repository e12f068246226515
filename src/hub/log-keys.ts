// Logs and mirrors on a Hub: under which keys entries lie, how one is written, how one is read by its key.

import { fromUtf8, utf8 } from "../core/bytes.ts";
import { isObject, own, parseJson } from "../core/canonical.ts";
import { MAX_RECORD_BYTES, type Candidate } from "../core/entry.ts";
import { isAddress, type Address, type Hash } from "../core/values.ts";
import { HubError } from "./hub-error.ts";
import type { Hub, Receipt, Signer } from "./hub.ts";

export const LOG = "coop1";

const padded = (seq: number) => String(seq).padStart(20, "0");

/** Key of a wallet's own entry: conversation `coop1`. */
export function appendKey(seq: number): string {
  return `${LOG}_${padded(seq)}`;
}

/** Conversation that holds a participant's copies of its peers' entries. */
export function mirrorConversation(genesis: Hash): string {
  return `mirror1.${genesis}`;
}

/** Key of a peer's entry in a participant's own space. */
export function mirrorKey(genesis: Hash, wallet: Address, seq: number): string {
  return `${mirrorConversation(genesis)}_${wallet}.${padded(seq)}`;
}

/** Writes an entry into its author's log, the signer's. A receipt is no proof: read it back. */
export function writeEntry(hub: Hub, signer: Signer, entry: Candidate): Promise<Receipt> {
  if (entry.wallet !== signer.address)
    return Promise.reject(
      new HubError("bad-request", `an entry of ${entry.wallet} is not ${signer.address}'s to write`),
    );
  return hub.put(signer, appendKey(entry.seq), utf8(entry.wire));
}

/** Writes a copy of a peer's entry into the signer's space. */
export function writeMirror(hub: Hub, signer: Signer, genesis: Hash, entry: Candidate): Promise<Receipt> {
  return hub.put(signer, mirrorKey(genesis, entry.wallet, entry.seq), utf8(entry.wire));
}

/** Where a record says that it belongs. */
export interface Claim {
  readonly wallet: Address;
  readonly seq: number;
}

// Canonical entries end in these four members; matching them is far quicker than parsing.
const TAIL =
  /,"seq":(0|[1-9][0-9]{0,15}),"sig":"0x[0-9a-f]{130}","type":"[a-z][a-z0-9-]{0,31}","wallet":"(0x[0-9a-f]{40})"\}$/;

/** The place that a record claims, or undefined where it claims none. */
export function claimOf(record: string): Claim | undefined {
  const match = TAIL.exec(record.length > 320 ? record.slice(-320) : record);
  if (match !== null) return { wallet: match[2] as Address, seq: Number(match[1]) };
  const value = record.length > MAX_RECORD_BYTES ? undefined : parseJson(record, Infinity);
  if (!isObject(value)) return undefined;
  const wallet = own(value, "wallet");
  const seq = own(value, "seq");
  return isAddress(wallet) && typeof seq === "number" && Number.isSafeInteger(seq) && seq >= 0
    ? { wallet, seq }
    : undefined;
}

/** The record stored under one key, or null. Bytes that are no text come as the replacement the reader can show. */
export async function readRecord(
  hub: Hub,
  owner: Address,
  key: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const value = await hub.get(owner, key, signal === undefined ? {} : { signal });
  return value === null ? null : (fromUtf8(value) ?? new TextDecoder().decode(value));
}
