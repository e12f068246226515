import { describe, expect, test } from "vitest";
import { signedText, unsignedText, wireForm } from "../core/entry.ts";
import { isMove } from "../core/members.ts";
import type { JsonObject } from "../core/canonical.ts";
import { parseRef, sha256, type Address } from "../core/values.ts";
import type { View } from "../core/view.ts";
import type { Verdict } from "../games/game.ts";
import { commitmentOf } from "../games/commit-reveal.ts";
import { judge } from "../games/judge.ts";
import { addressOf, Drawing, NAMES, saltOf, walletOf, type Drawn } from "../testing/build.ts";
import { faultsOf, runPeers } from "../testing/fuzz-peers.ts";
import { seededRandom } from "../testing/random.ts";
import { describeWeight, missingOf, weigher, type GapWeight, type Missing } from "./gap-impact.ts";

const viewOf = (drawing: Drawing, without = ""): View => {
  const view = drawing.view({ without });
  if (!view.ok) throw new Error(view.code);
  return view;
};

/** What is said of each gap that the view itself shows, in names. */
function weights(drawing: Drawing, without: string, ...more: readonly Missing[]): string[] {
  const view = viewOf(drawing, without);
  const weigh = weigher(view, judge(view));
  const shown = view.members.flatMap((member) => missingOf(view, member) ?? []);
  const waiting = view.pending.flatMap(({ missing }) =>
    missing.map((ref): Missing => ({ kind: "ref", ref })),
  );
  return [...shown, ...waiting, ...more].map((missing) => {
    const { could, why, wallets } = weigh(missing);
    return `${could ? "could" : "could not"}: ${[why, ...wallets.map((wallet) => drawing.nameOf(wallet))].join(" ")}`;
  });
}

const rps = () =>
  new Drawing()
    .genesis("g", "a", "a b", { deadline: 7, default_outcome: { kind: "forfeit" } })
    .commit("ca", "a", "rock")
    .commit("cb", "b", "paper", { sees: "ca" })
    .reveal("ra", "a", "rock", { sees: "cb" })
    .reveal("rb", "b", "paper", { sees: "ra" });
const ofA = (from: number, to: number | null = from): Missing => ({
  kind: "places",
  wallet: addressOf("a"),
  from,
  to,
});

describe("what is said of a gap", () => {
  test("in an open session a move that is missing could decide it", () => {
    expect(weights(rps(), "ca")).toEqual(["could: open", "could: open", "could: open"]);
    expect(weights(rps(), "rb", { kind: "places", wallet: addressOf("b"), from: 1, to: null })).toEqual([
      "could: open",
    ]);
  });
  test("a final verdict is not changed by what is missing", () => {
    const drawing = rps().tick("t1", "b", { sees: "ra" }).tick("t2", "b");
    expect(weights(drawing, "t1")).toEqual(["could not: final"]);
    expect(weights(drawing, "", { kind: "anything" })).toEqual(["could not: final"]);
  });
  test("beyond a share that is used up everything is late, whatever the verdict", () => {
    const drawing = new Drawing().genesis("g", "a", "a b c", { game: "vote", rules: VOTE, deadline: 7 });
    drawing.tick("t1", "a").tick("t2", "a").tick("t3", "a").tick("t4", "a");
    expect(weights(drawing, "t3")).toEqual(["could not: beyond-share a"]);
    expect(weights(drawing, "t2")).toEqual(["could: waited a"]);
  });
  test("unless somebody's move waits for it", () => {
    const drawing = new Drawing().genesis("g", "a", "a b c", { game: "vote", rules: VOTE, deadline: 7 });
    drawing.tick("t1", "a").tick("t2", "a").tick("t3", "a");
    drawing.add("v", "b", "vote", { choice: "x" }, { sees: "t3" });
    expect(weights(drawing, "t3")).toEqual(["could: waited b"]);
  });
  test("settled: a gap of one who is not waited for holds nothing up", () => {
    const drawing = rps();
    drawing.tick("t1", "a").tick("t2", "a").tick("t3", "a");
    // b never opened, a has used up its share: a wins by forfeit, and b could still open.
    expect(viewOf(drawing, "rb").closed).toBe(true);
    expect(weights(drawing, "rb", ofA(9))).toEqual(["could not: beyond-share a"]);
    expect(weights(drawing, "rb t1", { kind: "places", wallet: addressOf("b"), from: 1, to: 1 })).toEqual([
      "could not: not-waited b",
      "could: waited b",
    ]);
  });
  test("places of others, before the anchor, and places that are taken", () => {
    const stranger: Missing = { kind: "places", wallet: addressOf("h"), from: 0, to: null };
    expect(weights(rps(), "rb", stranger, ofA(0))).toEqual([
      "could not: other-wallet h",
      "could not: there a",
    ]);
    const later = new Drawing().tick("x", "a", { outside: true }).tick("y", "a", { outside: true });
    later.genesis("g", "a", "a b").tick("t", "a");
    expect(weights(later, "x", ofA(0, 1))).toEqual(["could not: before-anchor a"]);
  });
  test("what the genesis pins may show who joined", () => {
    const drawing = new Drawing()
      .add("i", "h", "invite", OFFER, { outside: true })
      .add("y", "b", "accept", {}, { outside: true, sees: "i" });
    drawing.genesis("g", "h", "a b", {
      sees: "i y",
      ...OFFER,
    });
    drawing.tick("t1", "a").tick("t2", "a").tick("t3", "a");
    const invite: Missing = { kind: "ref", ref: drawing.node("i").ref };
    expect(viewOf(drawing).members.map(({ joined }) => joined)).toEqual([true, true]);
    expect(weights(drawing, "i", invite)).toEqual(["could: waited b"]);
    expect(weights(drawing, "", { kind: "ref", ref: drawing.node("i").ref })).toEqual([
      "could not: no-move h",
    ]);
  });
  test("a broken link is mended by a fork alone", () => {
    const drawing = rps();
    drawing.tick("t", "a", { breaks: (entry) => ({ ...entry, prev_hash: sha256("another") }) });
    expect(weights(drawing, "")).toEqual(["could not: link a"]);
  });
  test("a move that waits for what can be no move waits for ever", () => {
    const drawing = new Drawing().tick("x", "h", { outside: true }).genesis("g", "a", "a b");
    drawing.tick("t", "a", { sees: "x" });
    expect(weights(drawing, "")).toEqual(["could not: no-move h"]);
    expect(weights(drawing, "x")).toEqual(["could not: other-wallet h"]);
  });
  test("after a fork nothing counts; before it a hole matters", () => {
    const drawing = rps().tick("s1", "b").add("s2", "b", "tick", { other: 1 }, { after: "rb" });
    const after: Missing = { kind: "places", wallet: addressOf("b"), from: 5, to: 8 };
    expect(weights(drawing, "", after)).toEqual(["could not: void b"]);
    expect(weights(drawing, "rb", after)).toEqual(["could: faulty-gap b", "could: faulty-gap b"]);
  });
  test("a fork beyond the last move is brought in by a later move", () => {
    const drawing = new Drawing().genesis("g", "a", "a b", { game: "auction", rules: ENGLISH, deadline: 41 });
    drawing.add("p", "b", "pass", {}).add("bid", "a", "bid", { amount: "5" }, { sees: "p" });
    drawing
      .tick("x", "a", { outside: true })
      .add("y", "a", "tick", { other: 1 }, { outside: true, after: "bid" });
    expect(weights(drawing, "", ofA(3, null))).toEqual(["could: latent-fork a"]);
  });
  test("without a verdict", () => {
    const unknown = new Drawing().genesis("g", "a", "a b", { game: "chess" }).tick("t", "a").tick("u", "a");
    expect(weights(unknown, "t")).toEqual(["could not: no-verdict"]);
  });
  test("each in a sentence with the names in it", () => {
    const say = (weight: GapWeight) => describeWeight(weight, (wallet) => wallet.slice(0, 6));
    const a = addressOf("a");
    expect(say({ could: false, why: "beyond-share", wallets: [a] })).toBe(
      `It could not change the verdict: ${a.slice(0, 6)} had used up its share before that place, so whatever stands there is late.`,
    );
    expect(say({ could: true, why: "waited", wallets: [a] })).toContain(
      `${a.slice(0, 6)} could still change`,
    );
  });
});

const VOTE = { options: ["x", "y"] };
const ENGLISH = { kind: "english" };
const OFFER = {
  game: "rps",
  rules: {},
  deadline: 7,
  default_outcome: { kind: "award", to: addressOf("a") },
};

const GAMES = [
  ["rps", { best_of: 3 }, 2],
  ["vote", { options: ["x", "y"] }, 3],
  ["vote", { options: ["x", "y"], ballot: "secret", quorum: 3 }, 5],
  ["auction", { kind: "english" }, 3],
  ["auction", { kind: "second-price" }, 4],
  ["compare", { by: "lowest", patience: 3 }, 4],
] as const;

/** Everything that stays the same where nothing changed. */
const state = (view: View, verdict: Verdict) =>
  verdict.ok
    ? { status: verdict.status, outcome: verdict.outcome, faults: faultsOf(view) }
    : { code: verdict.code };

describe("property: where it says could not, no filling changes outcome or status", () => {
  const tally = new Map<string, number>();
  const count = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1);

  test("sessions that begin late in their authors' logs", () => {
    for (let seed = 1; seed <= 8; seed++) tryRun(lateSession(seed), "rps", seededRandom(seed), count);
  });

  test.each(
    GAMES.flatMap(([game, rules, players]) => [0, 1].map((forkers) => ({ game, rules, players, forkers }))),
  )("$game $rules, $forkers of $players fork", (setup) => {
    for (let seed = 1; seed <= 2; seed++)
      tryRun(runPeers({ ...setup, seed }).drawing, setup.game, seededRandom(seed), count);
  });

  test("every kind was met, and what could change it did at times", () => {
    const kinds = ["final", "not-waited", "beyond-share", "void", "other-wallet", "before-anchor"];
    expect(kinds.filter((kind) => (tally.get(`filled ${kind}`) ?? 0) < 5)).toEqual([]);
    expect(tally.get("filled together")).toBeGreaterThan(50);
    expect(tally.get("changed")).toBeGreaterThan(50);
  });
});

/** Withholds some of a run, weighs what is missing, and fills what could not matter in several ways. */
function tryRun(drawing: Drawing, game: string, random: () => number, count: (what: string) => void): void {
  const nodes = [...drawing.nodes.values()];
  for (let i = 0; i < 5; i++) {
    const rate = random() * 0.4;
    const withheld = nodes.filter(({ name }) => name !== "g" && random() < rate);
    const kept = nodes.filter((node) => !withheld.includes(node));
    const view = drawing.view({ records: kept.map(({ wire }) => wire) });
    if (!view.ok) throw new Error(view.code);
    const verdict = judge(view);
    const before = state(view, verdict);
    const weigh = weigher(view, verdict);
    const together: string[] = [];
    for (const missing of missingIn(view, withheld, random)) {
      const { could, why } = weigh(missing);
      const fillings = [fromWithheld(view, withheld, missing), invented(game, view, missing, random)];
      for (const filling of fillings.filter((list) => list.length > 0)) {
        const filled = drawing.view({ records: [...kept.map(({ wire }) => wire), ...filling] });
        if (!filled.ok) throw new Error(filled.code);
        const after = state(filled, judge(filled));
        if (could) {
          if (JSON.stringify(after) !== JSON.stringify(before)) count("changed");
          continue;
        }
        count(`filled ${why}`);
        expect({ why, missing, ...after }).toEqual({ why, missing, ...before });
      }
      if (!could) together.push(...(fillings[random() < 0.5 ? 0 : 1] ?? []));
    }
    if (together.length === 0) continue;
    count("filled together");
    const all = onePlace(together);
    const filled = drawing.view({ records: [...kept.map(({ wire }) => wire), ...all] });
    if (!filled.ok) throw new Error(filled.code);
    expect(state(filled, judge(filled))).toEqual(before);
  }
}

/** What the view shows to be missing, and places at random. */
function missingIn(view: View, withheld: readonly Drawn[], random: () => number): Missing[] {
  const list: Missing[] = view.members.flatMap((member) => missingOf(view, member) ?? []);
  for (const { missing } of view.pending) for (const ref of missing) list.push({ kind: "ref", ref });
  for (const { ref } of withheld) if (random() < 0.3) list.push({ kind: "ref", ref });
  for (let i = 0; i < 5; i++) {
    const wallet = addressOf(NAMES[Math.floor(random() * NAMES.length)]!);
    const from = Math.floor(random() * 16);
    list.push({ kind: "places", wallet, from, to: random() < 0.3 ? null : from + Math.floor(random() * 4) });
  }
  list.push({ kind: "anything" });
  for (const ref of view.entries.keys()) if (random() < 0.1) list.push({ kind: "ref", ref });
  return list;
}

/** A session by invite between wallets that had logs before, with a default that asks who joined. */
function lateSession(seed: number): Drawing {
  const random = seededRandom(seed);
  const award = { kind: "award", to: addressOf("a") };
  const offer = { game: "rps", rules: {}, deadline: 9, default_outcome: award };
  const drawing = new Drawing();
  for (const name of ["a", "b", "h"] as const)
    drawing.tick(`${name}0`, name, { outside: true }).tick(`${name}1`, name, { outside: true });
  drawing.add("i", "h", "invite", offer, { outside: true });
  for (const name of ["a", "b"] as const) {
    drawing.add(`y${name}`, name, "accept", {}, { outside: true, sees: "i" });
    if (random() < 0.5) drawing.tick(`z${name}`, name, { outside: true });
  }
  const sees = ["i", "ya", "yb", "za", "zb"].filter((name) => drawing.nodes.has(name)).join(" ");
  drawing.genesis("g", "h", "a b", { ...offer, sees }).commit("ca", "a", "rock");
  drawing.tick("ta", "a").tick("ua", "a").tick("va", "a").tick("wa", "a");
  if (random() < 0.6) drawing.commit("cb", "b", "paper", { sees: "va" });
  return drawing;
}

/** One entry for each empty place, of those that were withheld. */
function fromWithheld(view: View, withheld: readonly Drawn[], missing: Missing): string[] {
  const fits = (node: Drawn) => {
    if (missing.kind === "anything") return true;
    if (missing.kind === "ref") return node.ref === missing.ref;
    if (missing.kind === "link" || node.wallet !== missing.wallet) return false;
    return node.seq >= missing.from && node.seq <= (missing.to ?? Infinity);
  };
  return onePlace(withheld.filter((node) => fits(node) && isEmpty(view, node)).map(({ wire }) => wire));
}

/** What its author might have signed for some of the empty places, in a chain, right or wrong. */
function invented(game: string, view: View, missing: Missing, random: () => number): string[] {
  if (missing.kind === "link") return [];
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const place = missing.kind === "ref" ? parseRef(missing.ref)! : undefined;
  const wallet = place?.wallet ?? (missing.kind === "places" ? missing.wallet : pick(view.participants));
  const from = place?.seq ?? (missing.kind === "places" ? missing.from : 0);
  const to = place?.seq ?? (missing.kind === "places" ? (missing.to ?? from + 6) : from + 12);
  const name = NAMES.find((one) => addressOf(one) === wallet)!;
  const known = [...view.entries.values()];
  const heads = known.filter((entry) => entry.wallet !== wallet && isMove(entry, view.session));
  const wires: string[] = [];
  let before = known.find((entry) => entry.wallet === wallet && entry.seq === from - 1)?.hash;
  for (let seq = from; seq <= Math.min(to, from + 2); seq++) {
    const there = known.find((entry) => entry.wallet === wallet && entry.seq === seq);
    if (there !== undefined || random() < 0.1) {
      before = there?.hash;
      continue;
    }
    const seen = heads.filter(() => random() < 0.3).map(({ ref }) => ref);
    const outside = random() < 0.15;
    const entry = {
      wallet,
      seq,
      prev_hash: seq === 0 ? null : (before ?? sha256(`lost ${seq}`)),
      refs: [...new Set([...(outside ? [] : [view.session]), ...seen])].sort(),
      ...bodyOf(game, wallet, view, random),
    };
    const sig = walletOf(name).signTextNow(signedText(entry));
    before = sha256(unsignedText(entry));
    wires.push(wireForm({ ...entry, sig }));
  }
  return wires;
}

/** A move of the game, or another, with a value that the wallet may have committed to. */
function bodyOf(game: string, wallet: Address, view: View, random: () => number) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const name = NAMES.find((one) => addressOf(one) === wallet)!;
  const value = pick(VALUES[game]!);
  const round = game === "rps" ? pick([1, 1, 2, 3]) : 1;
  const salt = saltOf(name, round);
  const later = round === 1 ? {} : { round };
  const commitment = commitmentOf({ session: view.session, wallet, round, value, salt });
  return pick<{ type: string; body: JsonObject }>([
    { type: "tick", body: {} },
    { type: "commit", body: { commitment, ...later } },
    { type: "reveal", body: { value, salt, ...later } },
    { type: "vote", body: { choice: value } },
    { type: "bid", body: { amount: pick(["1", "20", "500"]) } },
    { type: "pass", body: {} },
  ]);
}

const VALUES: { readonly [game: string]: readonly string[] } = {
  rps: ["rock", "paper", "scissors"],
  vote: ["x", "y"],
  auction: ["3", "14", "15", "92"],
  compare: ["3", "14", "15", "92"],
};

function isEmpty(view: View, { wallet, seq }: { wallet: Address; seq: number }): boolean {
  return ![...view.entries.values()].some((entry) => entry.wallet === wallet && entry.seq === seq);
}

const placeIn = (wire: string) => JSON.parse(wire) as { wallet: Address; seq: number };

/** The first for each place. */
function onePlace(wires: readonly string[]): string[] {
  const places = new Map<string, string>();
  for (const wire of wires) {
    const { wallet, seq } = placeIn(wire);
    const place = `${wallet}:${seq}`;
    if (!places.has(place)) places.set(place, wire);
  }
  return [...places.values()];
}
