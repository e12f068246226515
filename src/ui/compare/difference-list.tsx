// The differences, the first one large: from there on the two stories part. Every one is listed.

import { useMemo, useState } from "react";
import type { Address, Ref } from "../../core/values.ts";
import type { View } from "../../core/view.ts";
import { compareViews, type Difference, type SideName } from "../../audit/compare-views.ts";
import { Button } from "../components/button.tsx";
import { InertText } from "../components/inert-text.tsx";
import { Notice } from "../components/notice.tsx";
import { RefLink } from "../components/ref-link.tsx";
import { shortAddressText } from "../components/short-address.ts";
import css from "./compare.module.css";
import { formatComparison, formatDifference } from "./format-difference.ts";

const FIRST_ROWS = 100;

export interface DifferenceListProps {
  readonly a: View;
  readonly b: View;
  /** Where an entry of a side is shown. */
  readonly hrefOf: (side: SideName, ref: Ref) => string;
}

export function DifferenceList({ a, b, hrefOf }: DifferenceListProps) {
  const comparison = useMemo(() => compareViews(a, b), [a, b]);
  const [shown, setShown] = useState(FIRST_ROWS);
  const { differences } = comparison;
  const [first, ...rest] = differences;
  const wallets = useMemo(() => [...new Set([...a.participants, ...b.participants])], [a, b]);
  if (first === undefined)
    return (
      <Notice kind="pass" title="No difference">
        {formatComparison(comparison)}
      </Notice>
    );
  return (
    <section className={css.result} aria-label="Differences" data-differences={differences.length}>
      {!comparison.sameSession && (
        <Notice kind="info" title="These are two sessions">
          Their moves are set side by side by participant and place; hashes and signatures differ in any case.
        </Notice>
      )}
      <Notice kind="warn" title={`First difference: ${formatDifference(first, String).title}`}>
        <OneDifference difference={first} wallets={wallets} hrefOf={hrefOf} />
      </Notice>
      <p role="status">{formatComparison(comparison)}</p>
      {rest.length > 0 && (
        <ol className={css.differences}>
          {rest.slice(0, shown).map((difference, i) => (
            <li key={i} data-kind={difference.kind}>
              <OneDifference titled difference={difference} wallets={wallets} hrefOf={hrefOf} />
            </li>
          ))}
        </ol>
      )}
      {rest.length > shown && (
        <p>
          Showing {(shown + 1).toLocaleString("en")} of {differences.length.toLocaleString("en")}.{" "}
          <Button size="s" onClick={() => setShown(shown + 1000)}>
            Show more
          </Button>
        </p>
      )}
    </section>
  );
}

interface OneDifferenceProps {
  readonly difference: Difference;
  readonly wallets: readonly Address[];
  readonly hrefOf: DifferenceListProps["hrefOf"];
  readonly titled?: boolean;
}

function OneDifference({ difference, wallets, hrefOf, titled = false }: OneDifferenceProps) {
  const {
    title,
    detail: says,
    entries,
  } = formatDifference(difference, (wallet) => shortAddressText(wallet, wallets));
  return (
    <span className={css.difference} data-difference={difference.kind}>
      {titled && <b>{title}</b>}
      {entries.map(({ ref, side }) => (
        <RefLink key={`${side} ${ref}`} to={ref} href={hrefOf(side, ref)} among={wallets} withHash />
      ))}
      <span>
        <InertText text={says} />
      </span>
    </span>
  );
}
