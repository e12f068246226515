// One session as each source serves it, Hubs and the copies that participants keep: who has how much, and every place
// where they differ. An entry that is not copied yet is listed apart: it is no sign of a fault.

import { useMemo, useState } from "react";
import type { CheckSignature } from "../../core/entry.ts";
import { plural } from "../../games/describe.ts";
import type { Address, Ref } from "../../core/values.ts";
import { compareSources, type ContestedPlace, type SourceRecords } from "../../audit/compare-sources.ts";
import { Button } from "../components/button.tsx";
import { InertText } from "../components/inert-text.tsx";
import { Notice } from "../components/notice.tsx";
import { RefLink } from "../components/ref-link.tsx";
import { shortAddressText } from "../components/short-address.ts";
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
  const { agreed } = comparison;
  const contested = comparison.contested.filter(({ uncopied }) => !uncopied);
  const uncopied = comparison.contested.filter((place) => place.uncopied);
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
            {comparison.sources.map(({ has, lacks, differs, refused, unchecked, ...source }, i) => (
              <tr key={i} data-source={source.keeper === undefined ? "hub" : "copies"}>
                <th scope="row">
                  <InertText text={nameOf(source, among)} />
                </th>
                <td className="num">{has.toLocaleString("en")}</td>
                {[lacks, differs, refused, unchecked].map((count, k) => (
                  <td
                    key={k}
                    className="num"
                    data-wrong={count > 0 && (k > 0 || source.keeper === undefined) ? "yes" : "no"}
                  >
                    {count.toLocaleString("en")}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {contested.length === 0 ? (
        <Notice kind="pass" title="All sources agree">
          {`${(agreed + uncopied.length).toLocaleString("en")} places, the same bytes wherever they are served.`}
        </Notice>
      ) : (
        <Places places={contested.slice(0, shown)} sources={sources} among={among} hrefOf={hrefOf} />
      )}
      {contested.length > shown && (
        <p>
          Showing {shown.toLocaleString("en")} of {contested.length.toLocaleString("en")}.{" "}
          <Button size="s" onClick={() => setShown(shown + 1000)}>
            Show more
          </Button>
        </p>
      )}
      {uncopied.length > 0 && (
        <details className={css.uncopied} data-uncopied={uncopied.length}>
          <summary>{plural(uncopied.length, "entry is", "entries are")} not among everybody’s copies</summary>
          <p>
            A participant copies the entries of others that it has accepted. This shows how far its copies go;
            it is no sign of a fault.
          </p>
          <Places places={uncopied.slice(0, shown)} sources={sources} among={among} hrefOf={hrefOf} />
          {uncopied.length > shown && <p>and {(uncopied.length - shown).toLocaleString("en")} more</p>}
        </details>
      )}
    </section>
  );
}

/** What a source is called. */
function nameOf({ name, keeper }: Pick<SourceRecords, "name" | "keeper">, among: readonly Address[]): string {
  return keeper === undefined ? name : `copies kept by ${shortAddressText(keeper, among)} at ${name}`;
}

interface PlacesProps extends Omit<SourcesTableProps, "check"> {
  readonly places: readonly ContestedPlace[];
}

function Places({ places, ...props }: PlacesProps) {
  return (
    <ul className={css.differences}>
      {places.map((place) => (
        <li key={`${place.wallet}:${place.seq}`} data-place={`${place.wallet}:${place.seq}`}>
          <Place place={place} {...props} />
        </li>
      ))}
    </ul>
  );
}

interface PlaceProps extends Omit<SourcesTableProps, "check"> {
  readonly place: ContestedPlace;
}

function Place({ place, sources, among, hrefOf }: PlaceProps) {
  const names = (list: readonly number[]) =>
    list.flatMap((i) => (sources[i] === undefined ? [] : nameOf(sources[i], among))).join(", ");
  const { versions, lacking, refused, forked } = place;
  return (
    <span className={css.difference}>
      <b>
        {forked
          ? "Two versions"
          : versions.length > 1
            ? "Other bytes"
            : place.uncopied
              ? "Not copied"
              : "Not everywhere"}
      </b>
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
