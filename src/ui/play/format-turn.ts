// Whose move it is, in a line: the same words on every board. Pure.

import type { PeerSnapshot } from "../../peer/peer.ts";
import { formatNameInside, type Known } from "./names.ts";

/** What this seat is to do, or who is waited for. `words`: what each owed move is called on this board. */
export function formatTurn(
  snapshot: PeerSnapshot,
  known: Known,
  words: { readonly [what: string]: string },
): string {
  const { turn } = snapshot;
  if (known.me === null) return formatWaiting(snapshot, known);
  if (turn.busy) return "Your move is on its way";
  const owed = turn.owes[0];
  return owed === undefined ? formatWaiting(snapshot, known) : (words[owed.what] ?? "Your move");
}

/** Who is waited for; beyond three, how many. */
export function formatWaiting({ turn, verdict }: PeerSnapshot, known: Known): string {
  const waiting =
    verdict?.ok === true ? verdict.waiting.filter((wallet) => wallet !== known.me) : turn.waitingFor;
  if (waiting.length === 0) return "Waiting";
  if (waiting.length > 3) return `Waiting for ${waiting.length} others`;
  const names = waiting.map((wallet) => formatNameInside(known, wallet));
  return `Waiting for ${names.join(" and ")}`;
}
