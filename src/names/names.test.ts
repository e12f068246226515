import { describe, expect, test } from "vitest";
import { isAddress, sha256, type Address } from "../core/values.ts";
import { describeOutcome, describeVerdict } from "../games/describe.ts";
import type { Verdict } from "../games/game.ts";
import { addressOf } from "../testing/build.ts";
import { findLookAlikes, haveSameEnds } from "./look-alikes.ts";
import { isReservedName, sessionNames, type NameSources } from "./session-names.ts";
import { skeletonOf } from "./skeleton.ts";

const [a, b, c] = [addressOf("a"), addressOf("b"), addressOf("c")];
const named = (sources: Partial<NameSources>) =>
  sessionNames({ participants: [a, b, c], skeletonOf, ...sources });
const texts = (sources: Partial<NameSources>) => [a, b, c].map(named(sources).nameOf);

describe("order of names", () => {
  test("without any name, players are numbered by seat", () => {
    expect(texts({})).toEqual(["Player 1", "Player 2", "Player 3"]);
  });

  test("the reader's own seat is You, the bot is Bot, a claim stands in quotation marks", () => {
    expect(texts({ me: a, bot: b, claimed: new Map([[c, "Mira"]]) })).toEqual(["You", "Bot", "“Mira”"]);
  });

  test("a given name goes before a claimed one and before Bot, and never before You", () => {
    const given = new Map([
      [a, "Ann"],
      [b, "Robot"],
      [c, "Carl"],
    ]);
    expect(texts({ me: a, bot: b, given, claimed: new Map([[c, "Mira"]]) })).toEqual([
      "You",
      "Robot",
      "Carl",
    ]);
  });

  test("a wallet without a seat has its short address, or its name", () => {
    const other = addressOf("d");
    expect(named({}).nameOf(other)).toMatch(/^0x.{6}….{6}$/);
    expect(named({ given: new Map([[other, "Dora"]]) }).nameOf(other)).toBe("Dora");
  });
});

describe("look-alikes", () => {
  test("two names that differ by a Cyrillic letter are both marked and shown with their address", () => {
    const names = named({ given: new Map([[a, "Mira"]]), claimed: new Map([[b, "Mir\u0430"]]) });
    expect([a, b, c].map((wallet) => names.look(wallet).alike)).toEqual([true, true, false]);
    expect(names.nameOf(a)).toMatch(/^Mira \(0x[0-9a-fA-F]{40}\)$/);
    expect(names.nameOf(b)).toMatch(/^“Mir\u0430” \(0x[0-9a-fA-F]{40}\)$/);
  });

  test("an all-Cyrillic name beside other names is not marked", () => {
    const names = named({ claimed: new Map([[a, "Мария"], [b, "Мира"], [c, "Mira"]]) }); // prettier-ignore
    expect([a, b, c].map((wallet) => names.look(wallet).alike)).toEqual([false, false, false]);
  });

  test.each(["You", "Bot", "Y\u043eu", "B0t", "player 2"])("a claim of %o is marked", (claim) => {
    expect(named({ claimed: new Map([[b, claim]]) }).look(b).alike).toBe(true);
  });

  test("addresses with the same ends are both marked, in either letter case", () => {
    const twin = `${a.slice(0, 6)}${"0".repeat(32)}${a.slice(-4)}`;
    if (!isAddress(twin)) throw new Error("no address");
    const names = sessionNames({ participants: [a, twin, b], skeletonOf });
    expect([a, twin, b].map((wallet: Address) => names.look(wallet).alike)).toEqual([true, true, false]);
    expect(haveSameEnds(a, a)).toBe(false);
  });

  test.each([
    [
      ["Mira", "Mir\u0430", "Ida"],
      [0, 1],
    ],
    [
      ["paypal", "p\u0430yp\u0430l", "раураl"],
      [0, 1, 2],
    ],
    [
      ["Ivan", "lvan"],
      [0, 1],
    ],
    [
      ["a\u200bb", "ab"],
      [0, 1],
    ],
    [
      ["é", "e\u0301"],
      [0, 1],
    ],
    [["да", "нет"], []],
    [["yes", "no"], []],
    [["红", "紅"], []],
  ])("of %o the look-alikes are %o", (list, alike) => {
    expect([...findLookAlikes(list, skeletonOf)]).toEqual(alike);
  });

  test("words for seats and roles can't be given as names", () => {
    expect(["you", " BOT ", "Player 3", "B\u043et"].map((name) => isReservedName(name, skeletonOf))).toEqual([true, true, true, true]); // prettier-ignore
    expect(["Mira", "Botho", "Player"].some((name) => isReservedName(name, skeletonOf))).toBe(false);
  });
});

describe("sentences agree with You", () => {
  const { nameOf } = named({ me: a, bot: b });

  test.each([
    [{ kind: "win", winner: a, by: "play" }, "You win"],
    [{ kind: "win", winner: b, by: "play" }, "Bot wins"],
    [{ kind: "award", to: a }, "awarded to you, as declared"],
    [{ kind: "sold", winner: a, price: "80" }, "sold to you for 80"],
    [{ kind: "ranked", winners: [a], values: {} }, "You are ahead"],
    [{ kind: "ranked", winners: [b], values: {} }, "Bot is ahead"],
    [{ kind: "ranked", winners: [b, a], values: {} }, "Bot and you are ahead"],
  ])("%o", (outcome, text) => {
    expect(describeOutcome(outcome, nameOf)).toBe(text);
  });

  test("within a sentence it is you", () => {
    const verdict: Verdict = {
      ok: true,
      status: "pending",
      finality: "open",
      outcome: null,
      waiting: [a, b],
      digest: sha256("verdict"),
      flags: [],
      basis: [],
      reasons: [],
      level: "verified",
    };
    expect(describeVerdict(verdict, nameOf)).toBe("Open: waiting for you, Bot.");
  });
});
