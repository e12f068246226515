// How much of its share each participant has used, and what stands against it.

import type { Member, View } from "../../core/view.ts";
import { Address } from "../components/address.tsx";
import { ShareMeter } from "../components/share-meter.tsx";
import { to } from "../routing/routes.ts";
import css from "../inspector/inspector.module.css";

/** More participants than this are listed on demand. */
const SHOWN = 6;

export function Shares({ view }: { view: View }) {
  const rows = view.members.map((member, i) => (
    <li key={member.wallet} className={css.share}>
      <Address
        value={member.wallet}
        among={view.participants}
        place={i}
        focusable={false}
        href={to.wallet(member.wallet)}
      />
      <ShareMeter used={member.used} share={view.share} place={i} />
      {standingOf(member).map((word) => (
        <span key={word} className={css.badge} data-standing={word}>
          {word}
        </span>
      ))}
    </li>
  ));
  return (
    <div className={css.shares}>
      <ul aria-label="Shares">{rows.slice(0, SHOWN)}</ul>
      {rows.length > SHOWN && (
        <details>
          <summary>{rows.length - SHOWN} more participants</summary>
          <ul>{rows.slice(SHOWN)}</ul>
        </details>
      )}
    </div>
  );
}

function standingOf({ fault, gap, joined }: Member): string[] {
  return [
    ...(fault !== null ? ["forked"] : []),
    ...(gap !== null ? ["log incomplete"] : []),
    ...(joined ? [] : ["not joined"]),
  ];
}
