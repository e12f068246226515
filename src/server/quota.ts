// How much the store takes: of one wallet and of all together. What is used is counted as it is written; rows of
// conversations are counted for good, because deleting a bucket does not take them away.

import type { Address } from "../core/values.ts";

export interface Usage {
  /** Of keys and values, and `OVERHEAD` for each object. */
  bytes: number;
  objects: number;
  buckets: number;
  /** Rows ever written: each value under a key with `_` adds one to each conversation that it belongs to. */
  rows: number;
}

export interface Quota {
  readonly wallet: Readonly<Usage>;
  readonly all: Readonly<Usage>;
}

/** A writing was refused for want of room. */
export interface Full {
  readonly full: keyof Usage;
  readonly of: "wallet" | "all";
  readonly limit: number;
}

const MIB = 1024 * 1024;

export const QUOTA: Quota = {
  wallet: { bytes: 256 * MIB, objects: 200_000, buckets: 16, rows: 400_000 },
  all: { bytes: 16_384 * MIB, objects: 20_000_000, buckets: 1_000_000, rows: 40_000_000 },
};

export const UNLIMITED: Quota = {
  wallet: { bytes: Infinity, objects: Infinity, buckets: Infinity, rows: Infinity },
  all: { bytes: Infinity, objects: Infinity, buckets: Infinity, rows: Infinity },
};

/** What an object costs besides its key and value, in bytes: its entries in three tables. */
export const OVERHEAD = 200;

export const nothingUsed = (): Usage => ({ bytes: 0, objects: 0, buckets: 0, rows: 0 });

const MEMBERS = ["bytes", "objects", "buckets", "rows"] as const;

export interface QuotaOptions {
  readonly quota: Quota;
  /** Wallets whose own share is not limited: the bot's, say. They count in all. */
  readonly exempt: (owner: Address) => boolean;
}

export const QUOTA_OPTIONS: QuotaOptions = { quota: QUOTA, exempt: () => false };

/** The first limit that `more` would go over, or undefined where there is room. */
export function overQuota(
  { quota, exempt }: QuotaOptions,
  owner: Address,
  used: { readonly wallet: Readonly<Usage>; readonly all: Readonly<Usage> },
  more: Readonly<Usage>,
): Full | undefined {
  for (const of of ["wallet", "all"] as const) {
    if (of === "wallet" && exempt(owner)) continue;
    for (const full of MEMBERS)
      if (more[full] > 0 && used[of][full] + more[full] > quota[of][full])
        return { full, of, limit: quota[of][full] };
  }
  return undefined;
}

export function addUsage(used: Usage, more: Readonly<Usage>): void {
  for (const member of MEMBERS) used[member] = Math.max(0, used[member] + more[member]);
}
