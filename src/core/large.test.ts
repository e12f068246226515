// Long sessions: no recursion and no spread of long lists, so that depth and length are bounded by memory alone.

import { expect, test } from "vitest";
import { judge } from "../games/judge.ts";
import { addressOf, Drawing } from "../testing/build.ts";
import { buildView } from "./build-view.ts";
import { unsignedText, wireForm, type CheckSignature, type UnsignedEntry } from "./entry.ts";
import { formatRef, sha256, type Hash, type Ref } from "./values.ts";

const COUNT = 20_000;
/** Not under test here: every signature of the right form passes. */
const trusting: CheckSignature = () => ({ ok: true, by: "signature" });
const SIG = `0x${"1".repeat(128)}1b` as const;

interface Head {
  readonly ref: Ref;
  readonly hash: Hash;
  readonly seq: number;
}

/** So many ticks of the players by turns; each names the tick before it, if it is another's. */
function ladder(players: readonly ("a" | "b")[]): { records: string[]; session: Ref } {
  const drawing = new Drawing().genesis("g", "a", "a b", { deadline: 100_000 });
  const { ref: session, hash } = drawing.node("g");
  const heads = new Map<string, Head>([["a", { ref: session, hash, seq: 0 }]]);
  const records = [drawing.wire("g")];
  let last: Head | undefined;
  for (let i = 0; i < COUNT; i++) {
    const author = players[i % players.length]!;
    const head = heads.get(author);
    const isOthers = last !== undefined && last !== head;
    const entry: UnsignedEntry = {
      wallet: addressOf(author),
      seq: head === undefined ? 0 : head.seq + 1,
      prev_hash: head?.hash ?? null,
      refs: (isOthers ? [session, last!.ref] : [session]).sort(),
      type: "tick",
      body: {},
    };
    const own = sha256(unsignedText(entry));
    last = { ref: formatRef(entry.wallet, entry.seq, own), hash: own, seq: entry.seq };
    heads.set(author, last);
    records.push(wireForm({ ...entry, sig: SIG }));
  }
  return { records: records.reverse(), session };
}

test.each([
  ["a chain", ["a"]],
  ["a ladder of refs", ["a", "b"]],
] as const)("%s of 20,000 entries", (_what, players) => {
  const { records, session } = ladder(players);
  const view = buildView(records, session, { check: trusting });
  if (!view.ok) throw new Error(view.code);
  const last = view.order[COUNT - 1]!;
  expect([view.order.length, view.complete, last.depth]).toEqual([COUNT, true, COUNT - 1]);
  expect([...last.clock].reduce((sum, n) => sum + n, 0)).toBe(COUNT);
  expect(judge(view)).toMatchObject({ ok: true, status: "pending" });
});
