// What is missing, and nothing more than what is known of it: a hole in a log, a ref that leads nowhere, what a Hub said.

import { describeGap } from "../../games/describe.ts";
import type { CollectNote } from "../../hub/collect.ts";
import { Icon } from "../components/icon.tsx";
import { InertText } from "../components/inert-text.tsx";
import css from "./inspector.module.css";
import { Sentence } from "./sentence.tsx";
import type { Inspected } from "./session-model.ts";
import { EntryRef } from "./why-tab.tsx";

const SHOWN = 60;

export function GapList({ inspected }: { inspected: Inspected }) {
  const { view, snapshot } = inspected;
  const gaps = view.members.filter(({ gap }) => gap !== null);
  const notes = snapshot.notes;
  if (gaps.length + view.pending.length + notes.length === 0) return null;
  const settled = inspected.verdict.ok && inspected.verdict.finality === "final";
  return (
    <section className={css.card}>
      <h3>
        <Icon name="info" /> What is missing
      </h3>
      <p>
        A gap proves nothing by itself: the record may not exist, may not have been uploaded, or may be
        withheld.{" "}
        {settled
          ? "The verdict is final: nothing that is missing could change it but the proof of a fork."
          : "What is missing could still change the verdict."}
      </p>
      <ul className={css.gaps}>
        {gaps.map((member) => (
          <li key={member.wallet} data-gap={member.gap?.code}>
            <Sentence say={(nameOf) => describeGap(member, nameOf) ?? ""} participants={view.participants} />
          </li>
        ))}
        {view.pending.slice(0, SHOWN).map(({ entry, missing }) => (
          <li key={entry.ref} data-gap="pending">
            <EntryRef inspected={inspected} to={entry.ref} /> waits for{" "}
            {missing.length === 0 ? "an entry that waits itself" : null}
            {missing.slice(0, 4).map((ref) => (
              <EntryRef key={ref} inspected={inspected} to={ref} />
            ))}
            {missing.length > 4 && ` and ${missing.length - 4} more`}
          </li>
        ))}
        {view.pending.length > SHOWN && (
          <li className="faint">and {view.pending.length - SHOWN} more that wait</li>
        )}
        {notes.slice(0, SHOWN).map((note, i) => (
          <li key={i} data-gap={note.kind}>
            <Note note={note} inspected={inspected} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Note({ note, inspected }: { note: CollectNote; inspected: Inspected }) {
  return (
    <>
      <InertText text={note.hub} />, in the space of{" "}
      <Sentence say={(nameOf) => nameOf(note.owner)} participants={inspected.view.participants} />:{" "}
      <InertText text={wordsOf(note)} />
    </>
  );
}

/** A Hub's answer in words: facts, no guesses at who is to blame. */
export function wordsOf(note: CollectNote): string {
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

/** Whether a note may mean that something is missing; the others are only told. */
export function isGap(note: CollectNote): boolean {
  return note.kind !== "repeated" && note.kind !== "foreign";
}
