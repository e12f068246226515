// Owners, keys and conversations as the bytes that the tables on PostgreSQL are keyed by.

import type { Address } from "../core/values.ts";
import { conversationsOf } from "./hub-store.ts";

/** All wallets together, in the table of usage. */
export const EVERYONE = Buffer.alloc(0);

export function bytesOf(text: string): Buffer {
  return Buffer.from(text);
}

export function ownerOf(owner: Address): Buffer {
  return Buffer.from(owner.slice(2), "hex");
}

/** The conversation that a key is stored under: the shortest that it lies in, or none. */
export function headOf(key: string): Buffer {
  return Buffer.from(conversationsOf(key)[0] ?? "");
}

/** One text for a place in the tables, for maps within this process. */
export function placeOf(...parts: readonly Buffer[]): string {
  return parts.map((part) => part.toString("latin1")).join("\u0000\u0000");
}
