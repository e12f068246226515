// Findings kept by the SHA-256 of a record's exact bytes, never on an object: a spread copy must not look verified.
// Only findings that are final for those bytes are kept; what was not checked is asked again.

import type { Hash } from "../core/values.ts";
import { isAddress, isHash } from "../core/values.ts";
import type { Finding } from "./findings.ts";

/** Part of every store's name. It changes with any rule that a finding rests on, and old findings are then not seen. */
export const RULES_VERSION = "coop1-1";

export interface FindingCache {
  /** One answer per key, in order; undefined where nothing is known. Never rejects: a store that fails knows nothing. */
  getMany(keys: readonly Hash[]): Promise<(Finding | undefined)[]>;
  /** Keeps what is final. Never rejects: a store that is full or refused keeps nothing. */
  putMany(findings: readonly (readonly [Hash, Finding])[]): Promise<void>;
}

/** Whether a finding stays true for its bytes, however often they are checked. */
export function isFinal(finding: Finding): boolean {
  return finding.state === "verified" || finding.state === "rejected" || finding.state === "forged";
}

/** A finding as read back from a store, or undefined where it is not of the right form. */
export function readFinding(value: unknown): Finding | undefined {
  if (typeof value !== "object" || value === null || !("state" in value)) return undefined;
  const finding = value as Finding;
  if (!isFinal(finding)) return undefined;
  if (finding.state === "verified" || finding.state === "forged") {
    const place: unknown = finding.place;
    if (typeof place !== "object" || place === null) return undefined;
    if (!isHash(finding.place.hash) || !isAddress(finding.place.wallet)) return undefined;
  }
  return finding;
}

/** A cache in memory that holds at most `most` findings; the oldest go first. */
export function createMemoryCache(most = 200_000): FindingCache {
  const kept = new Map<Hash, Finding>();
  return {
    getMany: async (keys) => keys.map((key) => kept.get(key)),
    putMany: async (findings) => {
      for (const [key, finding] of findings) if (isFinal(finding)) kept.set(key, finding);
      for (const key of kept.keys()) {
        if (kept.size <= most) break;
        kept.delete(key);
      }
    },
  };
}
