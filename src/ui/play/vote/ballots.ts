// The count of a vote so far: out of the resolver's own reasons. Pure; options of any name are plain text.

import type { Verdict } from "../../../games/game.ts";

export interface TallyRow {
  readonly option: string;
  readonly ballots: number;
  /** Most ballots, alone or with others; false while nobody has any. */
  readonly ahead: boolean;
}

/** Counted ballots by option, in the order of the options. */
export function tallyOf(options: readonly string[], verdict: Verdict | null): readonly TallyRow[] {
  const counts = new Map<string, number>(options.map((option) => [option, 0]));
  if (verdict?.ok === true)
    for (const { code, value } of verdict.reasons)
      if (code === "counted" && value !== undefined && counts.has(value))
        counts.set(value, counts.get(value)! + 1);
  const most = [...counts.values()].reduce((a, b) => Math.max(a, b), 0);
  return options.map((option) => {
    const ballots = counts.get(option)!;
    return { option, ballots, ahead: ballots > 0 && ballots === most };
  });
}
