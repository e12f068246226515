// Which of some texts, or of some addresses, a reader can't tell apart. A text alone is never suspicious, whatever its
// script: only pairs that stand together are compared.

import type { Address } from "../core/values.ts";
import type { Skeleton } from "./skeleton.ts";

/** The indices of texts that look like another one of the list, the same text twice included. */
export function findLookAlikes(texts: readonly string[], skeletonOf: Skeleton): ReadonlySet<number> {
  const bySkeleton = new Map<string, number[]>();
  texts.forEach((text, i) => {
    const skeleton = skeletonOf(text);
    bySkeleton.set(skeleton, [...(bySkeleton.get(skeleton) ?? []), i]);
  });
  return new Set([...bySkeleton.values()].filter((group) => group.length > 1).flat());
}

/** Digits at each end that people compare. */
const ENDS = 4;

/** Whether two different addresses begin and end alike, as far as a reader looks. */
export function haveSameEnds(a: Address, b: Address): boolean {
  return a !== b && a.slice(0, 2 + ENDS) === b.slice(0, 2 + ENDS) && a.slice(-ENDS) === b.slice(-ENDS);
}
