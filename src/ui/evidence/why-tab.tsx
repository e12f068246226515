// Why the verdict is what it is: the resolver's reasons, each with the entries that it rests on.

import { useState } from "react";
import { describeReason } from "../../games/describe.ts";
import type { Reason, ReasonCode } from "../../games/game.ts";
import { Button } from "../components/button.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { Notice } from "../components/notice.tsx";
import { RefLink } from "../components/ref-link.tsx";
import { parseRef, type Ref } from "../../core/values.ts";
import css from "../inspector/inspector.module.css";
import { Sentence } from "../entry/sentence.tsx";
import type { Inspected, ShownCut } from "../inspector/session-model.ts";

const ICONS: { readonly [code in ReasonCode]: IconName } = {
  counted: "check",
  ignored: "dash",
  owed: "clock",
  "could-still-change": "info",
  disqualified: "fork",
  "not-joined": "people",
  closed: "lock",
  "default-applied": "warn",
  late: "clock",
  round: "check",
  decided: "shield",
};

const SHOWN = 40;
/** Reasons drawn at once, of the thousands that a long auction has: the first ones, and the last, which conclude. */
const HEAD = 30;
const TAIL = 20;
const MORE = 100;

export function WhyTab({ inspected, cut }: { inspected: Inspected; cut: ShownCut | null }) {
  const verdict = cut?.verdict ?? inspected.verdict;
  const [head, setHead] = useState(HEAD);
  if (!verdict.ok || verdict.reasons.length === 0)
    return (
      <Notice kind="empty" title="No reasons to show">
        There is no verdict that could be explained.
      </Notice>
    );
  const { reasons } = verdict;
  const hidden = Math.max(0, reasons.length - head - TAIL);
  const shown = (from: number, to: number) =>
    reasons
      .slice(from, to)
      .map((reason, i) => <ReasonItem key={from + i} inspected={inspected} reason={reason} />);
  return (
    <ol className={css.why} data-testid="why">
      {shown(0, hidden > 0 ? head : reasons.length)}
      {hidden > 0 && (
        <li key="more">
          <Icon name="dash" size={15} />
          <Button kind="quiet" size="s" onClick={() => setHead(head + MORE)}>
            {hidden.toLocaleString("en")} more in between: show {Math.min(MORE, hidden)}
          </Button>
        </li>
      )}
      {hidden > 0 && shown(reasons.length - TAIL, reasons.length)}
    </ol>
  );
}

function ReasonItem({ inspected, reason }: { inspected: Inspected; reason: Reason }) {
  return (
    <li data-reason={reason.code}>
      <Icon name={ICONS[reason.code]} size={15} />
      <div>
        <p>
          <Sentence
            say={(nameOf) => describeReason(reason, nameOf)}
            participants={inspected.view.participants}
          />
        </p>
        <Entries inspected={inspected} reason={reason} />
      </div>
    </li>
  );
}

function Entries({ inspected, reason }: { inspected: Inspected; reason: Reason }) {
  if (reason.entries.length === 0) return null;
  return (
    <ul className={css.whyEntries}>
      {reason.entries.slice(0, SHOWN).map((ref) => (
        <li key={ref}>
          <EntryRef inspected={inspected} to={ref} />
        </li>
      ))}
      {reason.entries.length > SHOWN && <li className="faint">and {reason.entries.length - SHOWN} more</li>}
    </ul>
  );
}

/** A ref of this session, which selects its entry here. */
export interface EntryRefProps {
  readonly inspected: Inspected;
  readonly to: Ref;
  /** Where two entries of one place are shown, the hash alone tells them apart. */
  readonly withHash?: boolean;
}

export function EntryRef({ inspected, to, withHash = false }: EntryRefProps) {
  const { view, hrefOf, select } = inspected;
  const wallet = parseRef(to)?.wallet;
  const place = wallet === undefined ? -1 : view.participants.indexOf(wallet);
  return (
    <span className={css.entryRef}>
      <RefLink
        to={to}
        href={hrefOf(to)}
        among={view.participants}
        place={place < 0 ? undefined : place}
        onSelect={select}
        withHash={withHash}
      />{" "}
      <span className="faint">{view.entries.get(to)?.type ?? "missing"}</span>
    </span>
  );
}
