import { expect, test } from "vitest";
import { buildView } from "../../core/build-view.ts";
import { claimedNames } from "../../names/claimed-names.ts";
import { addressOf, checkOnce, Drawing } from "../../testing/build.ts";
import type { RecentSession } from "../services/recent.ts";
import { createAddressBook, readAddressBook } from "./address-book.ts";
import { formatRecent, titleOfRecent } from "./format-recent.ts";
import { givenNames, seatOfReader } from "./reader.ts";

const [a, b] = [addressOf("a"), addressOf("b")];

test("names have 1 to 40 visible characters; an empty one takes the name away", () => {
  const book = createAddressBook(new Map());
  const rename = (name: string) => {
    book.getState().rename(a, name);
    return book.getState().names.get(a);
  };
  expect(rename("  Mira ")).toBe("Mira");
  expect(rename("x".repeat(41))).toBe("Mira");
  expect(rename("Mi\u202era")).toBe("Mira");
  expect(rename("")).toBeUndefined();
});

test("malformed members are left out of the address book", () => {
  const members = new Map([[a, "Mira"], ["0x12", "Ida"], [b, ""]]); // prettier-ignore
  expect([...readAddressBook(members)]).toEqual([[a, "Mira"]]);
});

test("own keys have their names, and the address book goes before them", () => {
  const keys = [a, b].map((address) => ({ address, name: "Key" }));
  expect([...givenNames(new Map([[a, "Ann"]]), keys)]).toEqual([[a, "Ann"], [b, "Key"]]); // prettier-ignore
});

test("the reader's seat: the noted one, else the only own key among the participants", () => {
  const [keyA, keyB] = [a, b].map((address) => ({ address, name: "Key" }));
  expect(seatOfReader([a, b], [keyA!], null)).toBe(a);
  expect(seatOfReader([a, b], [keyA!, keyB!], null)).toBeNull();
  expect(seatOfReader([a, b], [keyA!, keyB!], b)).toBe(b);
  expect(seatOfReader([a], [], b)).toBeNull();
});

test("names are those that the pinned invite and accepts claim, and no others", () => {
  // a invites as Ann, b accepts under a name that may not be shown, and claims another one that nothing pins.
  const of = new Drawing()
    .add("invite", "a", "invite", { name: "Ann", game: "rps" })
    .add("accept", "b", "accept", { name: "Mi\u202era" }, { sees: "invite" })
    .add("later", "b", "accept", { name: "Later" })
    .genesis("g", "a", "a b", { sees: "invite accept" });
  const wires = [...of.nodes.values()].map(({ wire }) => wire);
  const view = buildView(wires, of.node("g").ref, { check: checkOnce });
  if (!view.ok) throw new Error(view.code);
  expect([...claimedNames(view)]).toEqual([[a, "Ann"]]);
});

const recent: RecentSession = {
  session: `${a}:3:0x${"ab".repeat(32)}`,
  game: "rps",
  title: "",
  result: "",
  outcome: { kind: "win", winner: a, by: "play" },
  participants: [a, b],
  claimed: new Map([[b, "Mira"]]),
  seat: a,
  witnesses: [],
  played: true,
};

test("a recent session is said with the names of today", () => {
  const reader = { given: new Map(), bot: null };
  expect(formatRecent(recent, reader)).toBe("You win");
  expect(formatRecent({ ...recent, outcome: { kind: "win", winner: b, by: "play" } }, reader)).toBe(
    "“Mira” wins",
  );
  expect(formatRecent({ ...recent, seat: null }, { ...reader, given: new Map([[a, "Ann"]]) })).toBe(
    "Ann wins",
  );
  expect(formatRecent({ ...recent, outcome: null }, reader)).toBe("open");
  expect(titleOfRecent(recent)).toBe("rps abababab");
});
