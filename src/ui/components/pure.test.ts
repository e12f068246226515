import { expect, test } from "vitest";
import { copyText, type ClipboardHost } from "./clipboard.ts";
import { meterOf } from "./share-meter.tsx";

const clipboard = (works: boolean) => ({
  writeText: async () => {
    if (!works) throw new Error("NotAllowedError");
  },
});

test.each<[string, ClipboardHost, boolean]>([
  ["the modern clipboard", { clipboard: clipboard(true), copyBySelection: () => false }, true],
  ["a clipboard that refuses", { clipboard: clipboard(false), copyBySelection: () => true }, true],
  ["no clipboard (plain http)", { clipboard: undefined, copyBySelection: () => true }, true],
  ["neither way", { clipboard: undefined, copyBySelection: () => false }, false],
  [
    "neither way, loudly",
    {
      clipboard: clipboard(false),
      copyBySelection: () => {
        throw new Error("no");
      },
    },
    false,
  ],
])("copying by %s", async (_name, host, done) => expect(await copyText(host, "x")).toBe(done));

test.each([
  [0, 5, "0 of 5 entries used", 5, false],
  [3, 5, "3 of 5 entries used", 2, false],
  [5, 5, "5 of 5 entries used, spent", 0, true],
  [7, 5, "5 of 5 entries used, spent, 2 late", 0, true],
  [1, 1, "1 of 1 entry used, spent", 0, true],
])("a meter of %i of %i", (used, share, words, left, spent) =>
  expect(meterOf(used, share)).toMatchObject({ words, left, spent }),
);
