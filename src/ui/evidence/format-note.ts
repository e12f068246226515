// What a Hub did not give, in words.

import type { CollectNote } from "../../session/collect-session.ts";

/** A Hub's answer in words: facts, no guesses at who is to blame. */
export function formatNote(note: CollectNote): string {
  const what = WHAT[note.what];
  switch (note.kind) {
    case "missing":
      return "nothing lies at the place that a ref names";
    case "other":
      return "at the place that a ref names lies something else";
    case "hole":
      return note.from === note.to
        ? `${what} lacks place ${note.from}, and later ones are there`
        : `${what} lacks places ${note.from} to ${note.to}, and later ones are there`;
    case "unreadable":
      return `what lies at place ${note.seq} of ${what} can't be read as an entry of that place`;
    case "unplaced":
      return `${note.count} texts in ${what} name no place`;
    case "differs":
      return `different texts claim place ${note.seq} of ${what}`;
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
