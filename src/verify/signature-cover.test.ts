import { expect, test } from "vitest";
import { finish } from "../core/steps.ts";
import { Cover } from "./signature-cover.ts";
import type { Finding } from "./findings.ts";
import type { Place } from "./verifier.ts";
import { sha256 } from "../core/values.ts";

const wallet = `0x${"1".repeat(40)}` as const;
const hashOf = (seq: number, branch = 0) => sha256(`${seq}.${branch}`);
const place = (seq: number, branch = 0, from = branch): Place => ({
  wallet,
  seq,
  prev: seq === 0 ? null : hashOf(seq - 1, from),
  hash: hashOf(seq, branch),
});
const parsed = (at: Place): Finding => ({ state: "parsed", place: at });
const verified = (at: Place): Finding => ({ state: "verified", place: at });
const forged = (at: Place): Finding => ({
  state: "forged",
  place: at,
  result: { ok: false, code: "bad-signature" },
});

/** Plays the rounds; `genuine` says whose signature holds. Returns the number of rounds. */
function play(
  findings: Finding[],
  genuine: (at: Place) => boolean,
): { cover: Cover; rounds: number; checked: number } {
  const cover = finish(Cover.of(findings));
  let rounds = 0;
  let checked = 0;
  for (let check = cover.toCheck(); check.length > 0; check = cover.toCheck()) {
    rounds++;
    checked += check.length;
    const places = check.map((i) => (findings[i] as { place: Place }).place);
    finish(cover.take(places.map((at) => (genuine(at) ? verified(at) : forged(at)))));
  }
  return { cover, rounds, checked };
}

test("one tip covers a chain of 20,000", () => {
  const findings = Array.from({ length: 20_000 }, (_, seq) => parsed(place(seq)));
  const { cover, rounds, checked } = play(findings, () => true);
  expect([rounds, checked]).toEqual([1, 1]);
  expect(findings.slice(0, -1).every((_, i) => cover.isCovered(i))).toBe(true);
});

test("20,000 bad signatures take few rounds, and cover nothing", () => {
  const findings = Array.from({ length: 20_000 }, (_, seq) => parsed(place(seq)));
  const { rounds, checked } = play(findings, () => false);
  expect(rounds).toBeLessThan(20);
  expect(checked).toBe(20_000);
  expect(findings.every(({ state }) => state === "forged")).toBe(true);
});

test("below a bad tip the first good one covers the rest", () => {
  const findings = Array.from({ length: 100 }, (_, seq) => parsed(place(seq)));
  const { cover } = play(findings, ({ seq }) => seq < 90);
  findings.forEach((one, seq) => {
    if (seq >= 90) expect(one.state).toBe("forged");
    else expect(one.state === "verified" || cover.isCovered(seq)).toBe(true);
  });
});

test("both branches of a fork are tips, and cover what they share", () => {
  //   0 - 1 - 2
  //        \
  //         2'
  const findings = [place(0), place(1), place(2), place(2, 1, 0)].map(parsed);
  const { cover, checked } = play(findings, () => true);
  expect(checked).toBe(2);
  expect(findings.map((one) => one.state)).toEqual(["parsed", "parsed", "verified", "verified"]);
  expect(findings.slice(0, 2).every((_, i) => cover.isCovered(i))).toBe(true);
});

test("a hole ends a cover: what is below has a tip of its own", () => {
  const findings = [0, 1, 3, 4].map((seq) => parsed(place(seq)));
  expect(play(findings, () => true).checked).toBe(2);
});
