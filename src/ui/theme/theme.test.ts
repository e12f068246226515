import { expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { followTheme, resolveTheme, type ThemeChoice } from "./theme.ts";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

/** Tokens of one theme: name to colour. */
function tokens(selector: string): Map<string, string> {
  const block = css.slice(css.indexOf(selector) + selector.length);
  const body = block.slice(0, block.indexOf("}"));
  return new Map([...body.matchAll(/--([a-z0-9-]+):\s*(#[0-9a-f]{6});/g)].map((m) => [m[1]!, m[2]!]));
}

/** WCAG 2.2 relative luminance. */
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((i) => {
    const part = Number.parseInt(colour.slice(i, i + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

const light = tokens(":root {");
const dark = new Map([...light, ...tokens(':root[data-theme="dark"] {')]);
const grounds = ["bg", "surface", "sunken"];
const pairs = [
  ...["ink", "ink-2", "ink-3", "accent", "accent-strong", "pass", "fail", "wait"].flatMap((ink) =>
    grounds.map((ground) => [ink, ground, 4.5] as const),
  ),
  ["on-accent", "accent", 4.5] as const,
  ["on-accent", "accent-strong", 4.5] as const,
  ["pass", "pass-soft", 4.5] as const,
  ["fail", "fail-soft", 4.5] as const,
  ["wait", "wait-soft", 4.5] as const,
  ["ink-2", "fail-soft", 4.5] as const,
  ["ink-2", "wait-soft", 4.5] as const,
  ["ink", "accent-soft", 4.5] as const,
  ["accent", "accent-soft", 4.5] as const,
  ...Array.from({ length: 8 }, (_, i) => grounds.map((ground) => [`w${i}`, ground, 3] as const)).flat(),
];

test.each(pairs)("contrast of %s on %s is at least %f:1 in both themes", (ink, ground, least) => {
  for (const theme of [light, dark])
    expect(contrast(theme.get(ink)!, theme.get(ground)!)).toBeGreaterThanOrEqual(least);
});

test("both themes set the same colours", () => {
  expect([...tokens(':root[data-theme="dark"] {').keys()].sort()).toEqual([...light.keys()].sort());
});

test("the theme follows the choice and the system, and stops", () => {
  const listeners = new Set<() => void>();
  const chosen = new Set<() => void>();
  let choice: ThemeChoice = "system";
  let set = "";
  const systemDark = {
    matches: false,
    addEventListener: (_: "change", listener: () => void) => void listeners.add(listener),
    removeEventListener: (_: "change", listener: () => void) => void listeners.delete(listener),
  };
  const root = { setAttribute: (_: string, value: string) => void (set = value) };
  const stop = followTheme(
    { root, systemDark },
    () => choice,
    (listener) => {
      chosen.add(listener);
      return () => chosen.delete(listener);
    },
  );
  expect(set).toBe("light");
  systemDark.matches = true;
  listeners.forEach((listener) => listener());
  expect(set).toBe("dark");
  choice = "light";
  chosen.forEach((listener) => listener());
  expect(set).toBe("light");
  stop();
  expect([listeners.size, chosen.size]).toEqual([0, 0]);
  expect(resolveTheme("dark", false)).toBe("dark");
});
