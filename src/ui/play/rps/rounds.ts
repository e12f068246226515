// The rounds of rock, paper, scissors as the board shows them: out of the resolver's own reasons, so that screen and
// rule cannot differ. Pure.

import { own } from "../../../core/canonical.ts";
import type { Address, Ref } from "../../../core/values.ts";
import type { View } from "../../../core/view.ts";
import type { RpsValue } from "../../../games/rps.ts";
import type { Verdict } from "../../../games/game.ts";

export const RPS_TITLES: Readonly<Record<RpsValue, string>> = {
  rock: "Rock",
  paper: "Paper",
  scissors: "Scissors",
};

export interface Cell {
  /** What was opened and counts. */
  readonly value: string | null;
  /** A commit of this round counts. */
  readonly committed: boolean;
  /** The opening, or the commit. */
  readonly ref: Ref | null;
}

export interface RoundRow {
  readonly round: number;
  /** By participant, in their order. */
  readonly cells: readonly Cell[];
  /** Winner, `draw`, or null while it goes on. */
  readonly result: Address | "draw" | null;
}

/** The rounds begun so far, and the one to be played next while the session is open. */
export function roundsOf(view: View, verdict: Verdict | null): readonly RoundRow[] {
  if (verdict?.ok !== true) return [];
  const results = new Map<number, Address | "draw">();
  const openings = new Map<string, { value: string; ref: Ref | null }>();
  for (const { code, round, wallet, value, entries, what } of verdict.reasons) {
    if (round === undefined) continue;
    if (code === "round") results.set(round, wallet ?? "draw");
    if (code === "counted" && what === "opening" && wallet !== undefined)
      openings.set(`${round} ${wallet}`, { value: value ?? "", ref: entries.at(-1) ?? null });
  }
  const commits = commitsOf(view, verdict);
  const last = Math.max(
    results.size + (verdict.status === "pending" ? 1 : 0),
    ...[...openings.keys(), ...commits.keys()].map((key) => Number.parseInt(key, 10)),
  );
  return Array.from({ length: last }, (_, i): RoundRow => {
    const round = i + 1;
    return {
      round,
      result: results.get(round) ?? null,
      cells: view.participants.map((wallet): Cell => {
        const opening = openings.get(`${round} ${wallet}`);
        const commit = commits.get(`${round} ${wallet}`);
        return {
          value: opening?.value ?? null,
          committed: opening !== undefined || commit !== undefined,
          ref: opening?.ref ?? commit ?? null,
        };
      }),
    };
  });
}

/** Commits that count, by "round wallet". */
function commitsOf(view: View, verdict: Verdict & { ok: true }): ReadonlyMap<string, Ref> {
  const ignored = new Set(verdict.flags.map(({ ref }) => ref));
  const commits = new Map<string, Ref>();
  for (const { entry, ref, body, inTime, author } of view.order) {
    if (entry.type !== "commit" || !inTime || ignored.has(ref) || view.members[author]!.fault !== null)
      continue;
    const round = own(body, "round") ?? 1;
    if (typeof round === "number") commits.set(`${round} ${entry.wallet}`, ref);
  }
  return commits;
}

/** How many rounds have a result; the end of the session is one more, so that a forfeit is revealed too. */
export function settledRounds(rounds: readonly RoundRow[], isDecided: boolean): number {
  return rounds.filter(({ result }) => result !== null).length + (isDecided ? 1 : 0);
}

/**
 * The rounds as they may be shown while only the first `settled` are revealed: what others opened in a later one stays
 * sealed, so that both moves of a round are seen at the same time.
 */
export function revealTogether(
  rounds: readonly RoundRow[],
  participants: readonly Address[],
  me: Address | null,
  settled: number,
): readonly RoundRow[] {
  return rounds.map((row, i) => {
    if (i < settled) return row;
    const cells = row.cells.map((cell, seat) =>
      participants[seat] === me ? cell : { ...cell, value: null },
    );
    return { ...row, result: null, cells };
  });
}

/** Rounds won, by participant. */
export function scoreOf(view: View, rounds: readonly RoundRow[]): readonly number[] {
  return view.participants.map((wallet) => rounds.filter(({ result }) => result === wallet).length);
}
