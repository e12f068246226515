// One session as several sources serve it (Hubs, mirrors, files): who lacks or refuses what, and where they differ,
// by wallet and seq. No source is believed more than another; a source that serves two versions of one seq shows a fork.

import { readBag } from "../core/bag.ts";
import { parseCandidate, type CheckSignature, type Entry } from "../core/entry.ts";
import { formatRef, type Address, type Ref } from "../core/values.ts";
import type { RejectedRecord } from "../core/view.ts";

export interface SourceRecords {
  /** A Hub's URL, a file's name. */
  readonly name: string;
  /** Whose copies of the others' entries these are: nobody copies its own, so that those are not missed here. */
  readonly keeper?: Address;
  /** What it served, as it came. */
  readonly records: readonly string[];
}

/** One place of one log at which the sources differ. Sources are given by their index. */
export interface ContestedPlace {
  readonly wallet: Address;
  readonly seq: number;
  /** Each version in its exact bytes, with the sources that serve it; most served first. */
  readonly versions: readonly { readonly ref: Ref; readonly wire: string; readonly by: readonly number[] }[];
  /** Sources with nothing valid for this place. */
  readonly lacking: readonly number[];
  /** What sources serve for this place that is no valid entry. */
  readonly refused: readonly { readonly by: number; readonly record: RejectedRecord }[];
  /** At least two different entries are there: a fork of that wallet, or a Hub that serves another than the rest. */
  readonly forked: boolean;
  /** Only copies are lacking, which are made when their keeper has accepted an entry: no sign of a fault. */
  readonly uncopied: boolean;
}

export interface SourceSummary {
  readonly name: string;
  readonly keeper?: Address;
  /** Valid entries that it serves. */
  readonly has: number;
  /** Places for which others have an entry and it has none. */
  readonly lacks: number;
  /** Places at which it serves a version, or bytes, that some other source does not. */
  readonly differs: number;
  /** Records of it that are no entries. */
  readonly refused: number;
  /** Records whose signature was not checked: nothing is said of them. */
  readonly unchecked: number;
}

export interface SourcesComparison {
  readonly sources: readonly SourceSummary[];
  /** Sorted by wallet and seq. Empty: all agree. */
  readonly contested: readonly ContestedPlace[];
  /** Places at which every source serves the same bytes. */
  readonly agreed: number;
}

interface Place {
  readonly wallet: Address;
  readonly seq: number;
  readonly versions: Map<string, { readonly entry: Entry; readonly by: number[] }>;
  readonly refused: { readonly by: number; readonly record: RejectedRecord }[];
}

/** Compares what the sources serve. Pure; linear in the number of records. */
export function compareSources(sources: readonly SourceRecords[], check: CheckSignature): SourcesComparison {
  const places = new Map<string, Place>();
  const bags = sources.map(({ records }, i) => {
    const bag = readBag(records, { check });
    for (const entry of bag.entries.values()) {
      const { versions } = placeAt(places, entry);
      const version = versions.get(entry.wire);
      if (version === undefined) versions.set(entry.wire, { entry, by: [i] });
      else version.by.push(i);
    }
    for (const record of bag.rejected) {
      const claim = parseCandidate(record.wire);
      if (claim.ok) placeAt(places, claim.value).refused.push({ by: i, record });
    }
    return bag;
  });
  const contested = [...places.values()]
    .map((place) => contest(place, sources))
    .filter((place) => place !== undefined);
  contested.sort(byPlace);
  return {
    sources: sources.map(({ name, keeper }, i) => ({
      name,
      ...(keeper !== undefined && { keeper }),
      has: bags[i]!.entries.size,
      lacks: contested.filter(({ versions, lacking }) => versions.length > 0 && lacking.includes(i)).length,
      differs: contested.filter(({ versions }) => differs(versions, i)).length,
      refused: bags[i]!.rejected.length,
      unchecked: bags[i]!.unchecked.length,
    })),
    contested,
    agreed: places.size - contested.length,
  };
}

function placeAt(places: Map<string, Place>, { wallet, seq }: { wallet: Address; seq: number }): Place {
  const key = `${wallet}:${seq}`;
  let place = places.get(key);
  if (place === undefined) places.set(key, (place = { wallet, seq, versions: new Map(), refused: [] }));
  return place;
}

/** The place, unless every source that may hold it serves the same versions and nothing else. */
function contest(
  { wallet, seq, versions, refused }: Place,
  sources: readonly SourceRecords[],
): ContestedPlace | undefined {
  const list = [...versions.values()];
  // A participant's copies of its own entries, if there are any, are as good as any other bytes.
  const holders = new Set(list.flatMap(({ by }) => by));
  const lacking = sources.flatMap(({ keeper }, i) => (keeper === wallet || holders.has(i) ? [] : [i]));
  const isAgreed = refused.length === 0 && list.every(({ by }) => by.length === holders.size);
  if (isAgreed && lacking.length === 0) return undefined;
  return {
    wallet,
    seq,
    versions: list
      .map(({ entry, by }) => ({ ref: formatRef(wallet, seq, entry.hash), wire: entry.wire, by }))
      .sort((x, y) => y.by.length - x.by.length || (x.wire < y.wire ? -1 : 1)),
    lacking,
    refused,
    forked: new Set(list.map(({ entry }) => entry.hash)).size > 1,
    uncopied: isAgreed && lacking.every((i) => sources[i]!.keeper !== undefined),
  };
}

/** Whether a source serves something here that another one, with a version of its own, does not. */
function differs(versions: ContestedPlace["versions"], source: number): boolean {
  if (versions.length < 2 || !versions.some(({ by }) => by.includes(source))) return false;
  const holders = new Set(versions.flatMap(({ by }) => by)).size;
  return versions.some(({ by }) => by.length < holders);
}

function byPlace(x: ContestedPlace, y: ContestedPlace): number {
  return x.wallet === y.wallet ? x.seq - y.seq : x.wallet < y.wallet ? -1 : 1;
}
