// One table per participant: every entry of its log that is at hand, in its place, with the state of its check.

import { useMemo, useState } from "react";
import type { Entry } from "../../core/entry.ts";
import type { Address as AddressValue, Ref } from "../../core/values.ts";
import type { Member, View } from "../../core/view.ts";
import { describeGap } from "../../games/describe.ts";
import type { Report } from "../../verify/verifier.ts";
import { Address } from "../components/address.tsx";
import { Button } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { InertText } from "../components/inert-text.tsx";
import { ShareMeter } from "../components/share-meter.tsx";
import { shortAddressText } from "../components/short-address.ts";
import { entryState, logsOf, standingOf } from "./log-rows.ts";
import css from "./report.module.css";

const FIRST_ROWS = 200;

export function Logs({ view, report }: { view: View; report: Report }) {
  const logs = useMemo(() => logsOf(view), [view]);
  const standing = useMemo(() => standingOf(view), [view]);
  return (
    <section className={css.section}>
      <h2>Logs</h2>
      {[...logs].map(([wallet, entries]) => {
        const place = view.participants.indexOf(wallet);
        return (
          <Log
            key={wallet}
            wallet={wallet}
            entries={entries}
            member={view.members[place]}
            place={place < 0 ? undefined : place}
            standing={standing}
            view={view}
            report={report}
          />
        );
      })}
    </section>
  );
}

interface LogProps {
  readonly wallet: AddressValue;
  readonly entries: readonly Entry[];
  readonly member: Member | undefined;
  readonly place: number | undefined;
  readonly standing: ReadonlyMap<Ref, string>;
  readonly view: View;
  readonly report: Report;
}

function Log({ wallet, entries, member, place, standing, view, report }: LogProps) {
  const [all, setAll] = useState(false);
  const shown = all ? entries : entries.slice(0, FIRST_ROWS);
  const gap = member && describeGap(member, (each) => shortAddressText(each, view.participants));
  return (
    <details className={css.log} open={entries.length <= FIRST_ROWS}>
      <summary>
        <Address value={wallet} among={view.participants} place={place} focusable={false} />
        {member !== undefined && place !== undefined && (
          <ShareMeter used={member.used} share={view.share} place={place} />
        )}
        <span className="muted num">{entries.length.toLocaleString("en")} entries</span>
      </summary>
      {gap !== undefined && <p className="muted">{gap}</p>}
      <div className={css.scroll} tabIndex={0} role="region" aria-label={`Log of ${wallet}`}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">Seq</th>
              <th scope="col">Type</th>
              <th scope="col">Hash</th>
              <th scope="col">In the session</th>
              <th scope="col">Signature</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((entry) => (
              <Row key={entry.ref} entry={entry} standing={standing.get(entry.ref)} report={report} />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < entries.length && (
        <p>
          Showing {shown.length.toLocaleString("en")} of {entries.length.toLocaleString("en")}.{" "}
          <Button size="s" onClick={() => setAll(true)}>
            Show all
          </Button>
        </p>
      )}
    </details>
  );
}

function Row({ entry, standing, report }: { entry: Entry; standing: string | undefined; report: Report }) {
  const { passed, words } = entryState(entry, report);
  return (
    <tr data-entry={entry.ref}>
      <td className="num">{entry.seq}</td>
      <td>
        <InertText text={entry.type} wrap={false} />
      </td>
      <td className="mono" title={entry.hash}>
        {entry.hash.slice(2, 14)}
      </td>
      <td>{standing ?? "not of this session"}</td>
      <td>
        <Icon name={passed ? "check" : "clock"} size={14} /> {words}
      </td>
    </tr>
  );
}
