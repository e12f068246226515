// The heads that a verdict was made from, short enough for a link: how many session entries of each participant,
// and one hash over them. A later observer can tell same, grown, less, and rewritten apart.

import { canonicalize } from "./canonical.ts";
import { sha256, type Hash, type Ref } from "./values.ts";
import type { View } from "./view.ts";

export interface Heads {
  /** Number of session entries of each participant, in the order of participants. */
  readonly counts: readonly number[];
  /** SHA-256 of the canonical form of the heads' refs (null where there is none). */
  readonly hash: Hash;
}

export type HeadsComparison =
  | { readonly kind: "same" }
  /** All that was there is there unchanged, and `by` entries more. */
  | { readonly kind: "grown"; readonly by: number }
  /** Entries that were there are not among these records; the others may agree or not. */
  | { readonly kind: "less"; readonly by: number }
  /** As many entries as then, but not the same ones: a log was rewritten. */
  | { readonly kind: "rewritten" };

/** The heads of a view: per participant, its last session entry that rests on nothing missing. */
export function headsOf(view: View): Heads {
  const logs = placedRefs(view);
  return headsAt(
    logs,
    logs.map((log) => log.length),
  );
}

/** How a view stands to the heads that somebody saw before. */
export function compareHeads(view: View, heads: Heads): HeadsComparison {
  const logs = placedRefs(view);
  if (heads.counts.length !== logs.length) return { kind: "rewritten" };
  let more = 0;
  let less = 0;
  logs.forEach((log, i) => {
    const before = heads.counts[i]!;
    if (log.length < before) less += before - log.length;
    else more += log.length - before;
  });
  if (less > 0) return { kind: "less", by: less };
  if (headsAt(logs, heads.counts).hash !== heads.hash) return { kind: "rewritten" };
  return more === 0 ? { kind: "same" } : { kind: "grown", by: more };
}

function placedRefs(view: View): Ref[][] {
  const logs: Ref[][] = view.participants.map(() => []);
  for (const move of view.order) logs[move.author]![move.place - 1] = move.ref;
  return logs;
}

function headsAt(logs: readonly (readonly Ref[])[], counts: readonly number[]): Heads {
  const heads = logs.map((log, i) => log[counts[i]! - 1] ?? null);
  return { counts, hash: sha256(canonicalize(heads)) };
}
