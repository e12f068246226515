// What this browser has seen of a session before: the head of each participant's log. A Hub that now serves less, or
// something else at that place, has rolled back or rewritten. A head pins the chain below it, so one ref is enough.

import { parseRef, type Ref } from "../core/values.ts";
import type { View } from "../core/view.ts";

export type RollbackAlarm =
  /** An entry that was seen here before is not served any more. */
  | { readonly kind: "withheld"; readonly ref: Ref }
  /** At the place of an entry that was seen before stands another one: with the copy of before, a fork's proof. */
  | { readonly kind: "rewritten"; readonly ref: Ref; readonly found: Ref };

/** Where a view falls short of what was seen. Empty: everything that was seen is there. */
export function rollbackOf(view: View, known: readonly Ref[]): readonly RollbackAlarm[] {
  const missing = known.filter((ref) => !view.entries.has(ref));
  if (missing.length === 0) return [];
  const byPlace = new Map<string, Ref>();
  for (const { wallet, seq, ref } of view.entries.values()) byPlace.set(`${wallet}:${seq}`, ref);
  return missing.map((ref): RollbackAlarm => {
    const { wallet, seq } = parseRef(ref)!;
    const found = byPlace.get(`${wallet}:${seq}`);
    return found === undefined ? { kind: "withheld", ref } : { kind: "rewritten", ref, found };
  });
}

/**
 * What is known after this view: each participant's furthest entry. What was known and is not in the view stays,
 * so that an alarm is repeated until the entry is served again. Only views at the verified level teach anything.
 */
export function advanceKnown(view: View, known: readonly Ref[]): readonly Ref[] {
  if (view.level !== "verified") return known;
  const heads = new Map<string, Ref>();
  for (const ref of known) heads.set(parseRef(ref)!.wallet, ref);
  for (const { wallet, segment } of view.members) {
    const head = segment[segment.length - 1];
    const before = heads.get(wallet);
    if (head === undefined) continue;
    if (before === undefined || (view.entries.has(before) && head.seq > parseRef(before)!.seq))
      heads.set(wallet, head.ref);
  }
  const next = [...heads.values()].sort();
  return next.length === known.length && next.every((ref, i) => ref === known[i]) ? known : next;
}
