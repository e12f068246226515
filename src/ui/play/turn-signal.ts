// Tells that it is one's move when one looks elsewhere: by the system's notification, if asked for, and a short sound,
// if switched on. The page's title says it in any case.

import { useEffect, useRef } from "react";
import type { PeerSnapshot } from "../../peer/peer.ts";
import { usePreferences } from "../stores/stores.tsx";
import { gameTitle, isGameName } from "./games.ts";

/** Whether this browser has system notifications at all. */
export function canNotify(): boolean {
  return typeof Notification !== "undefined" && Notification.permission !== "denied";
}

/** Asks the person, on a click of theirs; whether they agreed. */
export async function askToNotify(): Promise<boolean> {
  if (!canNotify()) return false;
  return Notification.permission === "granted" || (await Notification.requestPermission()) === "granted";
}

/** A move that waits for the person: an opening is made by the page itself. */
export function isMyMove({ turn }: PeerSnapshot): boolean {
  return !turn.busy && turn.owes.some(({ what }) => what !== "reveal");
}

export function useTurnSignal(snapshot: PeerSnapshot): void {
  const notify = usePreferences((state) => state.notify);
  const sound = usePreferences((state) => state.sound);
  const mine = isMyMove(snapshot);
  const before = useRef(mine);
  const game = snapshot.view?.ok === true ? snapshot.view.terms.game : "";
  useEffect(() => {
    const began = mine && !before.current;
    before.current = mine;
    if (!began) return;
    if (sound) beep();
    if (notify && document.hidden && canNotify() && Notification.permission === "granted")
      show(isGameName(game) ? gameTitle(game) : "Coop Explorer", snapshot.session);
  }, [mine, notify, sound, game, snapshot.session]);
}

function show(title: string, tag: string): void {
  try {
    const shown = new Notification(title, { body: "It is your move.", tag });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Some systems allow notifications by a service worker alone: then the title has to do.
  }
}

/** A quarter of a second, quiet. */
function beep(): void {
  try {
    const context = new AudioContext();
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.frequency.value = 660;
    gain.gain.setValueAtTime(0.06, context.currentTime);
    gain.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + 0.25);
    tone.connect(gain).connect(context.destination);
    tone.onended = () => void context.close();
    tone.start();
    tone.stop(context.currentTime + 0.25);
  } catch {
    // No sound here.
  }
}
