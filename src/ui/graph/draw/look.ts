// The colours of the theme in force, resolved for canvases, which know nothing of CSS variables.

import { WALLET_COLOURS } from "../../theme/theme.ts";

export interface Look {
  readonly wallets: readonly string[];
  readonly ground: string;
  readonly band: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly ink: string;
  readonly ink2: string;
  readonly ink3: string;
  readonly inverse: string;
  readonly accent: string;
  readonly fail: string;
  readonly failSoft: string;
  readonly wait: string;
  readonly font: string;
}

export function readLook(root: Element): Look {
  const style = getComputedStyle(root);
  const read = (name: string) => style.getPropertyValue(name).trim() || "#888888";
  return {
    wallets: Array.from({ length: WALLET_COLOURS }, (_, i) => read(`--w${i}`)),
    ground: read("--surface"),
    band: read("--sunken"),
    line: read("--line"),
    lineStrong: read("--line-strong"),
    ink: read("--ink"),
    ink2: read("--ink-2"),
    ink3: read("--ink-3"),
    inverse: read("--surface"),
    accent: read("--accent"),
    fail: read("--fail"),
    failSoft: read("--fail-soft"),
    wait: read("--wait"),
    font: read("--sans"),
  };
}

/** Calls back when the theme changes; returns the way to stop. */
export function onThemeChange(root: Element, listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

export function colourOf(look: Look, lane: number): string {
  return look.wallets[lane % look.wallets.length]!;
}
