// Keys and records of the durable store as bytes. Keys of one owner, one conversation and one bucket each lie together.

import { isAddress, type Address } from "../core/values.ts";
import type { StoredObject } from "./hub-store.ts";
import { nothingUsed, type Usage } from "./quota.ts";

/** Bytes before a value: its time (8, a double) and the length of its bucket's name (1). */
export const HEAD = 9;
/** Rows are numbered in 6 bytes. */
export const MOST_ROWS = 2 ** 48 - 1;

export function ownerBytes(owner: Address): Buffer {
  return Buffer.from(owner.slice(2), "hex");
}

export function addressOf(bytes: Uint8Array): Address {
  const address = `0x${Buffer.from(bytes.buffer, bytes.byteOffset, 20).toString("hex")}`;
  if (!isAddress(address)) throw new Error("the store is damaged: an owner is no address");
  return address;
}

/** owner ‖ key */
export function objectKey(owner: Address, key: string): Buffer {
  return Buffer.concat([ownerBytes(owner), Buffer.from(key)]);
}

/** owner ‖ length ‖ conversation */
export function rowPrefix(owner: Address, conversation: string): Buffer {
  const text = Buffer.from(conversation);
  const prefix = Buffer.allocUnsafe(22 + text.length);
  prefix.write(owner.slice(2), 0, "hex");
  prefix.writeUInt16BE(text.length, 20);
  prefix.set(text, 22);
  return prefix;
}

/** owner ‖ length ‖ conversation ‖ row */
export function rowKey(prefix: Buffer, row: number): Buffer {
  const key = Buffer.allocUnsafe(prefix.length + 6);
  key.set(prefix, 0);
  key.writeUIntBE(row, prefix.length, 6);
  return key;
}

/** length ‖ bucket */
export function memberPrefix(bucket: string): Buffer {
  const name = Buffer.from(bucket);
  return Buffer.concat([Buffer.from([name.length]), name]);
}

/** length ‖ bucket ‖ key */
export function memberKey(bucket: string, key: string): Buffer {
  return Buffer.concat([memberPrefix(bucket), Buffer.from(key)]);
}

/** The first key after all that begin with a prefix. */
export function after(prefix: Buffer): Buffer {
  const end = Buffer.from(prefix);
  for (let i = end.length - 1; i >= 0; i--) {
    if (end[i]! < 0xff) {
      end[i]!++;
      return end.subarray(0, i + 1);
    }
  }
  return Buffer.alloc(prefix.length + 1, 0xff);
}

export function writeObject(bucket: string, value: Uint8Array, createdAt: number): Buffer {
  const name = Buffer.from(bucket);
  const stored = Buffer.allocUnsafe(HEAD + name.length + value.length);
  stored.writeDoubleBE(createdAt, 0);
  stored.writeUInt8(name.length, 8);
  stored.set(name, HEAD);
  stored.set(value, HEAD + name.length);
  return stored;
}

export function bucketOfObject(stored: Buffer): string {
  return stored.toString("utf8", HEAD, HEAD + stored[8]!);
}

export function valueOfObject(stored: Buffer): Buffer {
  return stored.subarray(HEAD + stored[8]!);
}

export function readObject(stored: Buffer): StoredObject {
  return {
    bucket: bucketOfObject(stored),
    value: valueOfObject(stored),
    createdAt: stored.readDoubleBE(0),
  };
}

const MEMBERS = ["bytes", "objects", "buckets", "rows"] as const;

export function writeUsage(used: Readonly<Usage>): Buffer {
  const bytes = Buffer.allocUnsafe(24);
  for (const [i, member] of MEMBERS.entries()) bytes.writeUIntBE(used[member], 6 * i, 6);
  return bytes;
}

export function readUsage(bytes: Uint8Array | undefined): Usage {
  const used = nothingUsed();
  if (bytes === undefined) return used;
  const stored = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [i, member] of MEMBERS.entries()) used[member] = stored.readUIntBE(6 * i, 6);
  return used;
}
