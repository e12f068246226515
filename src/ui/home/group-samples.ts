// The samples by what they show, in the order in which a stranger best reads them. Pure.

import type { Sample } from "./samples.ts";

export interface SampleGroup {
  readonly title: string;
  readonly samples: readonly Sample[];
}

const GROUPS: readonly (readonly [title: string, files: readonly string[]])[] = [
  ["Played to the end", ["rps-", "vote-", "auction-", "compare-", "long-auction"]],
  ["Somebody stopped", ["silent-", "never-joined", "withheld-"]],
  ["Somebody cheated", ["fork", "copied-", "early-", "foreign-", "late-", "tampered-", "look-alikes"]],
  ["Private", ["sealed-"]],
];

/** Every sample stands in one group; those of no known kind come last. */
export function groupSamples(samples: readonly Sample[]): readonly SampleGroup[] {
  const groups = [...GROUPS, ["More", []] as const].map(([title]) => ({ title, samples: [] as Sample[] }));
  for (const sample of samples) {
    const at = GROUPS.findIndex(([, files]) => files.some((begin) => sample.file.startsWith(begin)));
    groups[at < 0 ? GROUPS.length : at]!.samples.push(sample);
  }
  return groups.filter(({ samples: found }) => found.length > 0);
}
