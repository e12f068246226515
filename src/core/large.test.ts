// Long sessions: no recursion and no spread of long lists, so that depth and length are bounded by memory alone.

import { expect, test } from "vitest";
import { judge } from "../games/judge.ts";
import { addressOf, Drawing } from "../testing/build.ts";
import { seededRandom } from "../testing/random.ts";
import { readBag } from "./bag.ts";
import { assembleSteps, assembleView, buildView } from "./build-view.ts";
import { unsignedText, wireForm, type CheckSignature, type UnsignedEntry } from "./entry.ts";
import { formatRef, sha256, type Hash, type Ref } from "./values.ts";

const COUNT = 20_000;
/** Not under test here: every signature of the right form passes. */
const trusting: CheckSignature = () => ({ ok: true, by: "signature" });
const SIG = `0x${"1".repeat(128)}1b` as const;

/** Steps that others may take in between; more than one slice of each pass. */
const LEAST_STEPS = 100;

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

/** Entries of eight wallets, each naming the newest of some others; every withheld one leaves some of them pending. */
function mesh(count: number): { records: string[]; session: Ref } {
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"] as const;
  const drawing = new Drawing().genesis("g", "a", names.join(" "), { deadline: 100_000 });
  const { ref: session, hash } = drawing.node("g");
  const heads = new Map<string, Head>([["a", { ref: session, hash, seq: 0 }]]);
  const records = [drawing.wire("g")];
  const random = seededRandom(7);
  for (let i = 0; i < count; i++) {
    const author = names[Math.floor(random() * names.length)]!;
    const head = heads.get(author);
    const seen = names.flatMap((name) =>
      name !== author && random() < 0.2 ? (heads.get(name)?.ref ?? []) : [],
    );
    const entry: UnsignedEntry = {
      wallet: addressOf(author),
      seq: head === undefined ? 0 : head.seq + 1,
      prev_hash: head?.hash ?? null,
      refs: [...new Set([session, ...seen])].sort(),
      type: "tick",
      body: {},
    };
    const own = sha256(unsignedText(entry));
    heads.set(author, { ref: formatRef(entry.wallet, entry.seq, own), hash: own, seq: entry.seq });
    if (i !== count - 2_000) records.push(wireForm({ ...entry, sig: SIG }));
  }
  return { records, session };
}

test("a mesh of 12,000 entries is placed by depth, author and seq, in steps or at once", () => {
  const { records, session } = mesh(12_000);
  const bag = readBag(records, { check: trusting });
  const view = assembleView(bag, session);
  if (!view.ok) throw new Error(view.code);
  const order = view.order.map(({ ref }) => ref);
  const sorted = [...view.order].sort(
    (a, b) => a.depth - b.depth || a.author - b.author || a.entry.seq - b.entry.seq,
  );
  expect(order).toEqual(sorted.map(({ ref }) => ref));
  for (const { parents, depth } of view.order)
    expect(depth).toBe(parents.reduce((most, p) => Math.max(most, view.order[p]!.depth + 1), 0));
  const pending = view.pending.map(({ entry }) => entry.ref);
  expect(pending.length).toBeGreaterThan(500);
  expect(pending).toEqual([...pending].sort());

  // Two at a time: what one step leaves behind is its own.
  const reversed = readBag(records.toReversed(), { check: trusting });
  const [one, other] = [assembleSteps(bag, session), assembleSteps(reversed, session)];
  let steps = 0;
  let [a, b] = [one.next(), other.next()];
  while (a.done !== true || b.done !== true) {
    steps++;
    if (a.done !== true) a = one.next();
    if (b.done !== true) b = other.next();
  }
  expect(steps).toBeGreaterThan(LEAST_STEPS);
  expect([a.value, b.value]).toEqual([view, view]);
});
