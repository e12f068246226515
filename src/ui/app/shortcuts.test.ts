import { expect, test } from "vitest";
import { actionOf, type Pressed } from "./shortcuts.ts";

const press = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  typing: false,
  modal: false,
  ...more,
});

test.each([
  ["/ focuses search", press("/"), true, "search"],
  ["? lists the keys", press("?"), true, "sheet"],
  ["Ctrl-K opens the commands", press("k", { ctrlKey: true }), true, "palette"],
  ["Cmd-K too, and while typing", press("K", { metaKey: true, typing: true }), true, "palette"],
  ["/ is a letter while typing", press("/", { typing: true }), true, undefined],
  ["? is a letter while typing", press("?", { typing: true }), true, undefined],
  ["single keys can be turned off", press("/"), false, undefined],
  ["then Ctrl-K still works", press("k", { ctrlKey: true }), false, "palette"],
  ["Ctrl-/ is the browser's", press("/", { ctrlKey: true }), true, undefined],
  ["a key of the page", press("y"), true, "command"],
  ["is a letter while typing", press("y", { typing: true }), true, undefined],
  ["is turned off with the others", press("y"), false, undefined],
  ["with Ctrl it is the browser's", press("y", { ctrlKey: true }), true, undefined],
  ["nothing happens behind a dialog", press("y", { modal: true }), true, undefined],
  ["the palette neither", press("k", { ctrlKey: true, modal: true }), true, undefined],
  ["Alt is nobody's", press("/", { altKey: true }), true, undefined],
] as const)("%s", (_name, pressed, singleKeys, action) =>
  expect(actionOf(pressed, singleKeys, ["y"])).toBe(action),
);
