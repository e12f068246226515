// What is missing, and nothing more than what is known of it: a hole in a log, a ref whose entry is missing, what a Hub said.

import { useMemo } from "react";
import { describeGap } from "../../games/describe.ts";
import type { CollectNote } from "../../session/collect-session.ts";
import { notedMissing } from "../../session/noted-gaps.ts";
import { describeWeight, missingOf, weigher, type GapWeight, type Missing } from "../../audit/gap-impact.ts";
import { Icon } from "../components/icon.tsx";
import { InertText } from "../components/inert-text.tsx";
import css from "../inspector/inspector.module.css";
import { formatNote } from "./format-note.ts";
import { Sentence } from "../entry/sentence.tsx";
import type { Inspected } from "../inspector/session-model.ts";
import { EntryRef } from "./why-tab.tsx";

const SHOWN = 60;

export function GapList({ inspected }: { inspected: Inspected }) {
  const { view, snapshot, verdict } = inspected;
  const weigh = useMemo(() => weigher(view, verdict), [view, verdict]);
  const gaps = view.members.flatMap((member) => {
    const missing = missingOf(view, member);
    return missing === null ? [] : [{ member, weight: weigh(missing) }];
  });
  const pending = useMemo(
    () =>
      view.pending.map(({ entry, missing }) => ({
        entry,
        missing,
        weight: heaviest(missing.map((ref) => weigh({ kind: "ref", ref }))),
      })),
    [view, weigh],
  );
  const notes = snapshot.notes.map((note) => ({ note, weight: weightOf(notedMissing(note), weigh) }));
  if (gaps.length + pending.length + notes.length === 0) return null;
  const all = [...gaps, ...pending, ...notes].flatMap(({ weight }) => weight ?? []);
  return (
    <section className={css.card}>
      <h3>
        <Icon name="info" /> {all.length > 0 ? "What is missing" : "What was noted"}
      </h3>
      <p>{summaryOf(all)}</p>
      <ul className={css.gaps}>
        {gaps.map(({ member, weight }) => (
          <li key={member.wallet} data-gap={member.gap?.code}>
            <Sentence say={(nameOf) => describeGap(member, nameOf) ?? ""} participants={view.participants} />
            <Weight weight={weight} inspected={inspected} />
          </li>
        ))}
        {pending.slice(0, SHOWN).map(({ entry, missing, weight }) => (
          <li key={entry.ref} data-gap="pending">
            <EntryRef inspected={inspected} to={entry.ref} /> waits for{" "}
            {missing.length === 0 ? "an entry that waits itself" : null}
            {missing.slice(0, 4).map((ref) => (
              <EntryRef key={ref} inspected={inspected} to={ref} />
            ))}
            {missing.length > 4 && ` and ${missing.length - 4} more`}
            <Weight weight={weight} inspected={inspected} />
          </li>
        ))}
        {pending.length > SHOWN && <li className="faint">and {pending.length - SHOWN} more that wait</li>}
        {notes.slice(0, SHOWN).map(({ note, weight }, i) => (
          <li key={i} data-gap={note.kind}>
            <Note note={note} inspected={inspected} />
            <Weight weight={weight} inspected={inspected} />
          </li>
        ))}
        {notes.length > SHOWN && <li className="faint">and {notes.length - SHOWN} more</li>}
      </ul>
    </section>
  );
}

/** Whether it could change the verdict; nothing where nothing is missing. */
function Weight({ weight, inspected }: { weight: GapWeight | null; inspected: Inspected }) {
  if (weight === null) return null;
  return (
    <p className={css.weight} data-could={weight.could ? "yes" : "no"} data-why={weight.why}>
      <Sentence say={(nameOf) => describeWeight(weight, nameOf)} participants={inspected.view.participants} />
    </p>
  );
}

function weightOf(missing: Missing | null, weigh: (missing: Missing) => GapWeight): GapWeight | null {
  return missing === null ? null : weigh(missing);
}

/** Of several things that something waits for, one that could change the verdict, if there is one. */
function heaviest(weights: readonly GapWeight[]): GapWeight | null {
  return weights.find(({ could }) => could) ?? weights[0] ?? null;
}

const PROVES_NOTHING =
  "A gap proves nothing by itself: the record may not exist, may not have been uploaded, or may be withheld.";

function summaryOf(all: readonly GapWeight[]): string {
  if (all.length === 0) return "None of this is a gap: nothing is missing by it.";
  const able = all.filter(({ could }) => could).length;
  const but = "but for the proof of a fork, which can always change a verdict";
  if (able === 0) return `${PROVES_NOTHING} Nothing that is missing could change the verdict, ${but}.`;
  return able === all.length
    ? `${PROVES_NOTHING} What is missing could still change the verdict.`
    : `${PROVES_NOTHING} Some of what is missing could still change the verdict; where it says not, that holds ${but}.`;
}

function Note({ note, inspected }: { note: CollectNote; inspected: Inspected }) {
  return (
    <>
      <InertText text={note.hub} />, in the space of{" "}
      <Sentence say={(nameOf) => nameOf(note.owner)} participants={inspected.view.participants} />:{" "}
      <InertText text={formatNote(note)} />
    </>
  );
}
