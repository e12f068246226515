// What a Hub did not serve, as text.

import type { CollectNote } from "../../session/collect-session.ts";

/** What a Hub served or not, as a sentence: facts, no guess at the cause. */
export function formatNote(note: CollectNote): string {
  const what = WHAT[note.what];
  switch (note.kind) {
    case "missing":
      return "the Hub has no entry for a ref";
    case "other":
      return "the Hub has another entry than a ref names";
    case "hole":
      return note.from === note.to
        ? `${what} lacks entry ${note.from} and has later ones`
        : `${what} lacks entries ${note.from} to ${note.to} and has later ones`;
    case "unreadable":
      return `entry ${note.seq} of ${what} is not a valid entry`;
    case "unplaced":
      return `${note.count} texts in ${what} name no log position`;
    case "differs":
      return `different texts claim entry ${note.seq} of ${what}`;
    case "repeated":
      return `${note.count} texts of ${what} came more than once`;
    case "foreign":
      return `${note.count} texts in ${what} belong elsewhere and were left out`;
    case "capped":
      return `${what} was read up to a limit of ${note.limit.toLocaleString("en")} ${note.unit}`;
    case "failed":
      return `${what} could not be read: ${note.error.message}`;
  }
}

const WHAT: { readonly [what in CollectNote["what"]]: string } = {
  genesis: "the genesis",
  log: "the log",
  mirror: "the copies of others' entries",
  ref: "an entry that the genesis names",
};
