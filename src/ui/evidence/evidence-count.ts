// How much there is to look at under Evidence, for its tab, before the tab itself is there.

import type { Fault, NoView, View } from "../../core/view.ts";
import type { CollectNote } from "../../session/collect-session.ts";

export function forksOf(view: View): readonly { readonly wallet: `0x${string}`; readonly fault: Fault }[] {
  return view.members.flatMap(({ wallet, fault }) => (fault === null ? [] : [{ wallet, fault }]));
}

/** How many things there are to look at, for the tab's count. */
export function evidenceCount(view: View | NoView, notes: readonly CollectNote[]): number {
  const rejected = view.rejected.length + view.unchecked.length;
  const missing = notes.filter(isGap).length;
  if (!view.ok) return rejected + missing;
  const gaps = view.members.filter(({ gap }) => gap !== null).length;
  return rejected + forksOf(view).length + gaps + view.pending.length + missing;
}

/** Whether a note may mean that something is missing; the others are only told. */
function isGap(note: CollectNote): boolean {
  return note.kind !== "repeated" && note.kind !== "foreign";
}
