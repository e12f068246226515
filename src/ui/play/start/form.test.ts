import { expect, test } from "vitest";
import { addressOf } from "../../../testing/build.ts";
import { GAME_NAMES } from "../games.ts";
import { checkForm, DEFAULT_FORM, shareNeeded, withGame, type Form } from "./form.ts";

const a = addressOf("a");
const b = addressOf("b");

function form(change: Partial<Form> = {}): Form {
  return { ...DEFAULT_FORM, ...change };
}

function good(change: Partial<Form> = {}) {
  const checked = checkForm(form(change), a);
  if (!checked.ok) throw new Error(`${checked.at}: ${checked.expected}`);
  return checked;
}

test.each(GAME_NAMES)(
  "the form of %s is good as it stands, with room for every move and some more",
  (game) => {
    const start = withGame(DEFAULT_FORM, game);
    const checked = checkForm(start, null);
    expect(checked).toMatchObject({ ok: true, seats: 2, share: shareNeeded(start) });
  },
);

test.each(["1", "3", "5", "7"])("best of %s leaves room for every round", (bestOf) => {
  const { offer, share } = good({ bestOf, title: "  Tea  " });
  expect(share).toBeGreaterThan(2 * Number(bestOf));
  expect(offer.title).toBe("Tea");
  expect(offer.rules).toEqual(bestOf === "1" ? {} : { best_of: Number(bestOf) });
});

test.each([
  ["rps", { bestOf: "2" }, "best_of"],
  ["rps", { bestOf: "x" }, "best_of"],
  ["rps", { title: "😀".repeat(201) }, "title"],
  ["rps", { deadline: "2" }, "deadline"],
  ["rps", { deadline: "07" }, "deadline"],
  ["rps", { seats: "1" }, "seats"],
  ["vote", { options: "One" }, "options"],
  ["vote", { options: "Same\nSame" }, "options"],
  ["vote", { quorum: "3" }, "quorum"],
  ["vote", { quorum: "" }, "quorum"],
  ["vote", { ballot: "secret", seats: "4", patience: "99" }, "patience"],
  ["auction", { reserve: "007" }, "reserve"],
  ["auction", { reserve: "1.5" }, "reserve"],
  ["auction", { kind: "english", increment: "0" }, "increment"],
  ["auction", { item: "x".repeat(201) }, "item"],
  ["compare", { by: "closest" }, "target"],
  ["compare", { by: "closest", target: "-0" }, "target"],
  ["rps", { with: "known", addresses: "" }, "addresses"],
  ["rps", { with: "known", addresses: "0x12" }, "addresses"],
  ["rps", { with: "known", addresses: a }, "participants"],
] as const)("%s with %o is refused at %s", (game, change, at) => {
  expect(checkForm({ ...withGame(DEFAULT_FORM, game), ...change }, a)).toMatchObject({ ok: false, at });
});

test("amounts go into the offer as they were typed, at any size", () => {
  const reserve = "9".repeat(78);
  expect(good({ game: "auction", reserve }).offer.rules).toEqual({ kind: "first-price", reserve });
});

test("a session among known wallets: the creator first if it plays, and who is awarded", () => {
  const playing = good({ with: "known", addresses: b, whenSilent: "award", awardTo: b });
  expect(playing.participants).toEqual([a, b]);
  expect(playing.offer.default_outcome).toEqual({ kind: "award", to: b });
  const others = `${b}\n${addressOf("c")}`;
  expect(good({ with: "known", plays: false, addresses: others }).participants).toEqual([b, addressOf("c")]);
});

test("a wrong checksum among the addresses is refused", () => {
  const checked = checkForm(
    form({ with: "known", addresses: "0xFb6916095ca1df60bB79Ce92cE3Ea74c37c5d359" }),
    a,
  );
  expect(checked).toMatchObject({
    ok: false,
    at: "addresses",
  });
});
