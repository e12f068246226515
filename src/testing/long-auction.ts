// A long English auction among three, from a seed: everybody bids by what it has seen, and sees with some delay.

import { Drawing, type Name } from "./build.ts";
import { seededRandom } from "./random.ts";

const BIDDERS: readonly Name[] = ["a", "b", "c"];

interface Seen {
  /** For each bidder, how many of its entries this one has seen. */
  readonly counts: Map<Name, number>;
}

/** An auction of exactly `entries` entries, the genesis included; the last two are the losers' passes. */
export function longAuction(seed: number, entries: number): Drawing {
  const random = seededRandom(seed);
  const drawing = new Drawing().genesis("g", "a", "a b c", {
    game: "auction",
    rules: { kind: "english" },
    deadline: 3 * entries + 1,
    body: { title: "A long auction" },
  });
  const logs = new Map<Name, (number | null)[]>(BIDDERS.map((name) => [name, []]));
  const seen = new Map<Name, Seen>(
    BIDDERS.map((name) => [name, { counts: new Map(BIDDERS.map((other) => [other, 0])) }]),
  );

  /** Writes an entry of the bidder that names the newest entries it has seen. */
  const write = (name: Name, type: string, amount: number | null): void => {
    const log = logs.get(name)!;
    const { counts } = seen.get(name)!;
    const sees = BIDDERS.filter((other) => other !== name && counts.get(other)! > 0);
    const names = sees.map((other) => `${other}${counts.get(other)}`).join(" ");
    log.push(amount);
    counts.set(name, log.length);
    drawing.add(`${name}${log.length}`, name, type, amount === null ? {} : { amount: String(amount) }, {
      sees: names,
    });
  };
  const catchUp = (name: Name, share: number): void => {
    const { counts } = seen.get(name)!;
    for (const other of BIDDERS)
      if (other !== name && random() < share) counts.set(other, logs.get(other)!.length);
  };
  /** Highest amount that the bidder has seen, and whether it is its own. */
  const leading = (name: Name): { amount: number; own: boolean } => {
    let best = { amount: 0, own: false };
    for (const [other, count] of seen.get(name)!.counts)
      for (const amount of logs.get(other)!.slice(Math.max(0, count - 3), count))
        if (amount !== null && amount > best.amount) best = { amount, own: other === name };
    return best;
  };

  for (let written = 1; written < entries - 2; written++) {
    const name = BIDDERS[Math.floor(random() * BIDDERS.length)]!;
    catchUp(name, 0.8);
    const { amount, own } = leading(name);
    if (own) write(name, "tick", null);
    else write(name, "bid", amount + 1 + Math.floor(random() * 9));
  }
  const top = BIDDERS.reduce((best, name) => (highest(logs, name) > highest(logs, best) ? name : best));
  for (const name of BIDDERS) {
    if (name === top) continue;
    catchUp(name, 1);
    write(name, "pass", null);
  }
  return drawing;
}

function highest(logs: ReadonlyMap<Name, readonly (number | null)[]>, name: Name): number {
  return logs
    .get(name)!
    .reduce<number>((best, amount) => (amount !== null && amount > best ? amount : best), 0);
}
