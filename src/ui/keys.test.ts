import { expect, test } from "vitest";
import { actionOf, type Pressed } from "./keys.ts";

const press = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  typing: false,
  ...more,
});

test.each([
  ["/ goes to the box", press("/"), true, "box"],
  ["? lists the keys", press("?"), true, "sheet"],
  ["Ctrl-K goes to the box", press("k", { ctrlKey: true }), true, "box"],
  ["Cmd-K too, and while typing", press("K", { metaKey: true, typing: true }), true, "box"],
  ["/ is a letter while typing", press("/", { typing: true }), true, undefined],
  ["? is a letter while typing", press("?", { typing: true }), true, undefined],
  ["single keys can be turned off", press("/"), false, undefined],
  ["then Ctrl-K still works", press("k", { ctrlKey: true }), false, "box"],
  ["Ctrl-/ is the browser's", press("/", { ctrlKey: true }), true, undefined],
  ["Alt is nobody's", press("/", { altKey: true }), true, undefined],
] as const)("%s", (_name, pressed, singleKeys, action) => expect(actionOf(pressed, singleKeys)).toBe(action));
