// The page's own way of telling: Notification (asked for on a click alone) and a tone. Where the browser has neither,
// nothing happens, and the settings say so.

import type { Signals } from "./turn-signal.ts";

/** Whether this browser has system notifications at all, and has not been told to refuse them here. */
export function canNotify(): boolean {
  return typeof Notification !== "undefined" && Notification.permission !== "denied";
}

/** Whether notifications are shown: preferred once and then forbidden in the browser, they are not. */
export function mayNotify(): boolean {
  return canNotify() && Notification.permission === "granted";
}

/** Asks the person, on a click of theirs; whether they agreed. */
export async function askToNotify(): Promise<boolean> {
  if (!canNotify()) return false;
  return mayNotify() || (await Notification.requestPermission()) === "granted";
}

export const pageSignals: Signals = {
  hidden: () => document.hidden,
  show: (title, body, tag) => {
    if (!mayNotify()) return;
    try {
      const shown = new Notification(title, { body, tag });
      shown.onclick = () => {
        window.focus();
        shown.close();
      };
    } catch {
      // Some systems allow notifications by a service worker alone: then the title has to do.
    }
  },
  /** A quarter of a second, quiet. */
  beep: () => {
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
  },
};
