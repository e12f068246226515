// Tells that it is one's move when one looks elsewhere: by the page's title in any case, by the system's notification,
// if asked for, and by a short sound, if switched on. The browser's part comes by argument (page-signals.ts).

import type { Peer, PeerSnapshot } from "../../peer/peer.ts";
import type { Preferences } from "../services/preferences.ts";
import { gameTitle, isGameName } from "./games.ts";

export interface Signals {
  /** Whether the page is in the background. */
  hidden(): boolean;
  /** Shows a notification, where the browser allows it; one of the same tag takes the place of the one before. */
  show(title: string, body: string, tag: string): void;
  beep(): void;
}

/** What the person owes: an opening is made by the page itself. */
function owedByHand({ turn }: PeerSnapshot): string {
  return turn.owes
    .filter(({ what }) => what !== "reveal")
    .map(({ what, round }) => `${what} ${round}`)
    .join(", ");
}

/** A move that waits for the person. */
export function isMyMove(snapshot: PeerSnapshot): boolean {
  return !snapshot.turn.busy && owedByHand(snapshot) !== "";
}

const MARK = "Your move · ";

/** The page's title with the mark that it is one's move, or without. */
export function titleWith(title: string, mine: boolean): string {
  const bare = title.startsWith(MARK) ? title.slice(MARK.length) : title;
  return mine ? MARK + bare : bare;
}

/**
 * Follows a seat and tells of each move once, when it comes to be owed: not again after an attempt that failed, and
 * not of what was owed already when one opened the page and sees it. Returns the end of it.
 */
export function followTurn(
  peer: Pick<Peer, "subscribe" | "getSnapshot">,
  preferences: () => Pick<Preferences, "notify" | "sound">,
  signals: Signals,
): () => void {
  /** What was told, or seen on opening; null until the session has been read. */
  let told: string | null = null;
  const look = () => {
    const snapshot = peer.getSnapshot();
    if (snapshot.view?.ok !== true || snapshot.turn.busy) return;
    const owed = owedByHand(snapshot);
    const opening = told === null && !signals.hidden();
    const fresh = owed !== "" && owed !== told && !opening;
    told = owed;
    if (!fresh) return;
    const { notify, sound } = preferences();
    const { game } = snapshot.view.terms;
    if (sound) signals.beep();
    if (notify && signals.hidden())
      signals.show(
        isGameName(game) ? gameTitle(game) : "Coop Explorer",
        "It is your move.",
        snapshot.session,
      );
  };
  look();
  return peer.subscribe(look);
}
