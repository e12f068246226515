// One session as each of several Hubs serves it: who has how much, and every place where they are not of one mind.

import { useMemo, useState } from "react";
import type { CheckSignature } from "../../core/entry.ts";
import type { Address, Ref } from "../../core/values.ts";
import { compareSources, type ContestedPlace, type SourceRecords } from "../../verify/compare-sources.ts";
import { Button } from "../components/button.tsx";
import { InertText } from "../components/inert-text.tsx";
import { Notice } from "../components/notice.tsx";
import { RefLink } from "../components/ref-link.tsx";
import css from "./compare.module.css";

const FIRST_PLACES = 50;

export interface SourcesTableProps {
  readonly sources: readonly SourceRecords[];
  /** The signature check of the report over all of them. */
  readonly check: CheckSignature;
  readonly among: readonly Address[];
  readonly hrefOf: (ref: Ref) => string;
}

export function SourcesTable({ sources, check, among, hrefOf }: SourcesTableProps) {
  const comparison = useMemo(() => compareSources(sources, check), [sources, check]);
  const [shown, setShown] = useState(FIRST_PLACES);
  const { contested, agreed } = comparison;
  return (
    <section className={css.result} aria-label="Sources" data-contested={contested.length}>
      <div className={css.scroll} tabIndex={0} role="region" aria-label="What each source serves">
        <table className={css.table}>
          <thead>
            <tr>
              {["Source", "Entries", "Lacks", "Differs", "Refused", "Not checked"].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {comparison.sources.map(({ name, has, lacks, differs, refused, unchecked }, i) => (
              <tr key={i}>
                <th scope="row">
                  <InertText text={name} />
                </th>
                <td className="num">{has.toLocaleString("en")}</td>
                {[lacks, differs, refused, unchecked].map((count, k) => (
                  <td key={k} className="num" data-wrong={count > 0 ? "yes" : "no"}>
                    {count.toLocaleString("en")}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {contested.length === 0 ? (
        <Notice kind="pass" title="All sources are of one mind">
          {agreed.toLocaleString("en")} places, the same bytes everywhere.
        </Notice>
      ) : (
        <ul className={css.differences}>
          {contested.slice(0, shown).map((place) => (
            <li key={`${place.wallet}:${place.seq}`} data-place={`${place.wallet}:${place.seq}`}>
              <Place place={place} sources={sources} among={among} hrefOf={hrefOf} />
            </li>
          ))}
        </ul>
      )}
      {contested.length > shown && (
        <p>
          Showing {shown.toLocaleString("en")} of {contested.length.toLocaleString("en")}.{" "}
          <Button size="s" onClick={() => setShown(shown + 1000)}>
            Show more
          </Button>
        </p>
      )}
    </section>
  );
}

interface PlaceProps extends Omit<SourcesTableProps, "check"> {
  readonly place: ContestedPlace;
}

function Place({ place, sources, among, hrefOf }: PlaceProps) {
  const names = (list: readonly number[]) => list.map((i) => sources[i]?.name ?? "").join(", ");
  const { versions, lacking, refused, forked } = place;
  return (
    <span className={css.difference}>
      <b>{forked ? "Two versions" : versions.length > 1 ? "Other bytes" : "Not everywhere"}</b>
      {versions.map(({ ref, wire, by }) => (
        <span key={wire}>
          <RefLink to={ref} href={hrefOf(ref)} among={among} withHash /> at <InertText text={names(by)} />
        </span>
      ))}
      {lacking.length > 0 && (
        <span>
          lacking at <InertText text={names(lacking)} />
        </span>
      )}
      {refused.map(({ by, record }) => (
        <span key={`${by} ${record.hash}`}>
          refused at <InertText text={names([by])} />: {record.rejection.code}
        </span>
      ))}
    </span>
  );
}
