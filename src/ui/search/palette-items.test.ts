import { expect, test } from "vitest";
import type { Ref } from "../../core/values.ts";
import { filterItems, paletteItems } from "./palette-items.ts";

const session: Ref = `0x${"a1".repeat(20)}:0:0x${"b2".repeat(32)}`;
const recent = {
  session,
  game: "rps",
  title: "",
  result: "b wins",
  outcome: null,
  participants: [],
  claimed: new Map(),
  seat: null,
  witnesses: [],
  played: false,
};
const resultOf = ({ result }: { readonly result: string }) => result;
const copy = { id: "copy", title: "Copy audit link", key: "y", run: () => "Copied" };
const titles = (text: string) =>
  filterItems(paletteItems([copy], [recent, { ...recent, title: "Copper auction" }], resultOf), text).map(
    ({ title }) => title,
  );

test("with no text all are listed: commands of the page, pages, recent sessions", () => {
  const kinds = paletteItems([copy], [recent], resultOf).map(({ kind }) => kind);
  expect(kinds).toEqual(["command", "route", "route", "route", "route", "route", "recent"]);
});

test("every word counts, in any order; what begins with the first one comes first", () => {
  expect(titles("link copy")).toEqual(["Copy audit link"]);
  expect(titles("COP")).toEqual(["Copy audit link", "Copper auction"]);
  expect(titles("wins rps")).toEqual(["rps b2b2b2b2"]);
  expect(titles("comp hubs")).toEqual(["Compare two sessions, Hubs or files"]);
  expect(titles("no such thing")).toEqual([]);
});

test("a session that was played leads to its board", () => {
  const item = paletteItems([], [{ ...recent, played: true }], resultOf).at(-1);
  expect(item).toMatchObject({ kind: "recent", route: `#/s/${session}/play` });
});
