// A long session of many wallets, from a seed: an english auction in which everybody writes and names the newest entries
// it has seen. For benchmarks and for tests of size; every entry is really signed, so it takes about 1 ms each.

import { Drawing, NAMES } from "./build.ts";
import { seededRandom } from "./random.ts";

export interface LongSession {
  readonly seed: number;
  /** The genesis included. */
  readonly entries: number;
  /** Refs of all entries together, the one to the genesis included: about so many. */
  readonly refs: number;
  /** 2 to 8. */
  readonly wallets?: number;
}

/** A session of exactly so many entries; its records are `drawing.records()`, its id the ref of node `g`. */
export function longSession({ seed, entries, refs, wallets = 8 }: LongSession): Drawing {
  const random = seededRandom(seed);
  const names = NAMES.slice(0, wallets);
  const drawing = new Drawing().genesis("g", "a", names.join(" "), {
    game: "auction",
    rules: { kind: "english" },
    deadline: Math.min(100_000, wallets * entries + 1),
    body: { title: `${entries.toLocaleString("en")} entries` },
  });
  const written = names.map(() => 0);
  const others = refs / Math.max(1, entries - 1) - 1;
  for (let i = 1; i < entries; i++) {
    const author = Math.floor(random() * wallets);
    const sees: string[] = [];
    for (let other = 0; other < wallets; other++)
      if (other !== author && written[other]! > 0 && random() < others / (wallets - 1))
        sees.push(`${names[other]}${written[other]}`);
    written[author]!++;
    const name = names[author]!;
    const bids = random() < 0.5;
    drawing.add(`${name}${written[author]}`, name, bids ? "bid" : "tick", bids ? { amount: `${i}` } : {}, {
      sees: sees.join(" "),
    });
  }
  return drawing;
}
