// Which places of which log a note says were not read, for whoever weighs what is missing.

import type { Address, Ref } from "../core/values.ts";
import type { CollectNote } from "./collect-session.ts";

export type NotedMissing =
  /** `to: null`: up to the log's end, wherever that is. */
  | { readonly kind: "places"; readonly wallet: Address; readonly from: number; readonly to: number | null }
  | { readonly kind: "ref"; readonly ref: Ref }
  /** Copies of anybody's entries. */
  | { readonly kind: "anything" };

/** Null where a note tells of something that was read: texts that came twice, that belong elsewhere or name no place. */
export function notedMissing(note: CollectNote): NotedMissing | null {
  switch (note.kind) {
    case "missing":
    case "other":
      return { kind: "ref", ref: note.ref };
    case "hole":
      return note.what === "mirror" ? { kind: "anything" } : places(note.owner, note.from, note.to);
    case "unreadable":
    case "differs":
      return note.what === "mirror" ? { kind: "anything" } : places(note.owner, note.seq, note.seq);
    case "capped":
    case "failed":
      return note.what === "mirror" ? { kind: "anything" } : places(note.owner, 0, null);
    case "unplaced":
    case "repeated":
    case "foreign":
      return null;
  }
}

function places(wallet: Address, from: number, to: number | null): NotedMissing {
  return { kind: "places", wallet, from, to };
}
