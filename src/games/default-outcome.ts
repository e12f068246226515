// What applies when moves are still owed and the session is closed: the declared default, unless somebody who owes
// never entered. Nobody loses a session that it never entered.

import type { Address } from "../core/values.ts";
import type { View } from "../core/view.ts";
import type { Flag, Outcome, Reason, Resolution } from "./game.ts";

/** Addresses of participants by index, in the order of participants. */
export function walletsOf(view: View, indices: Iterable<number>): Address[] {
  return [...indices].sort((a, b) => a - b).map((i) => view.participants[i]!);
}

/**
 * The declared default. `owing` and `waiting` are indices of participants; owing wallets that never joined make it
 * void and are waited for, since joining would change the outcome. The basis is empty.
 */
export function applyDefault(
  view: View,
  owing: ReadonlySet<number>,
  waiting: ReadonlySet<number>,
  flags: readonly Flag[],
  reasons: readonly Reason[],
): Resolution {
  const strangers = [...owing].filter((i) => !view.members[i]!.joined);
  const outcome: Outcome = strangers.length > 0 ? { kind: "void" } : declared(view, owing);
  const why: Reason[] = [
    ...reasons,
    ...closedReasons(view),
    ...walletsOf(view, strangers).map((wallet): Reason => ({ code: "not-joined", wallet, entries: [] })),
    { code: "default-applied", entries: [view.session], what: outcome.kind },
  ];
  const all = walletsOf(view, new Set([...waiting, ...strangers]));
  return { status: "decided", outcome, waiting: all, flags, basis: [], reasons: why };
}

function declared(view: View, owing: ReadonlySet<number>): Outcome {
  const { default_outcome } = view.terms;
  if (default_outcome.kind !== "forfeit") return { ...default_outcome };
  const blameless = view.members.flatMap(({ fault }, i) => (fault === null && !owing.has(i) ? [i] : []));
  return blameless.length === 1
    ? { kind: "win", winner: view.participants[blameless[0]!]!, by: "forfeit" }
    : { kind: "void" };
}

/** Who has spent its share, and so closed the session. */
export function closedReasons(view: View): Reason[] {
  return view.members.flatMap(({ wallet, spent }): Reason[] =>
    spent ? [{ code: "closed", wallet, entries: [] }] : [],
  );
}

/** Who owes what, as reasons. */
export function owedReasons(view: View, owing: Iterable<number>, what: string): Reason[] {
  return walletsOf(view, owing).map((wallet) => ({ code: "owed", wallet, entries: [], what }));
}
