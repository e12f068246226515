// The committed samples are what the generator makes, and each shows the verdict that the index promises.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildView } from "../core/build-view.ts";
import { readBundle } from "../core/bundle.ts";
import { fromHex } from "../core/bytes.ts";
import { domainKey } from "../core/seal.ts";
import type { View } from "../core/view.ts";
import { judge } from "../games/judge.ts";
import { checkOnce } from "./build.ts";
import { makeSamples, type SampleEntry } from "./samples.ts";

const FOLDER = join("public", "samples");
const read = (file: string) => readFileSync(join(FOLDER, file), "utf8");
const index = JSON.parse(read("index.json")) as readonly SampleEntry[];

function open({ file, session, key }: SampleEntry, withKey = true): View {
  const bundle = readBundle(read(file));
  if (!bundle.ok) throw new Error(`${file}: ${bundle.code}`);
  expect(bundle.session).toBe(session);
  const domain = key === undefined || !withKey ? undefined : domainKey(fromHex(`0x${key}`));
  const view = buildView(bundle.records, session, { check: checkOnce, domain });
  if (!view.ok) throw new Error(`${file}: ${view.code}`);
  return view;
}

const viewOf = (name: string, withKey = true): View =>
  open(
    index.find(({ file }) => file.startsWith(`${name}.`))!,
    withKey,
  );

test("there are twenty, and no other file beside them", () => {
  expect(index.length).toBe(20);
  expect(readdirSync(FOLDER).sort()).toEqual([...index.map(({ file }) => file), "index.json"].sort());
});

test("the generator makes the same bytes", () => {
  const made = makeSamples();
  expect(made.map(({ entry }) => entry)).toEqual(index);
  for (const { entry, bundle } of made)
    expect([entry.file, bundle === read(entry.file)]).toEqual([entry.file, true]);
});

test.each(index.map((entry) => [entry.file, entry] as const))("%s shows its verdict", (_file, entry) => {
  const verdict = judge(open(entry));
  if (!verdict.ok) throw new Error(verdict.code);
  const { status, outcome, finality, digest, level } = verdict;
  expect({ status, outcome: outcome?.kind ?? null, finality, digest }).toEqual(entry.expect);
  expect(level).toBe("verified");
});

describe("what each damaged or dishonest one is about", () => {
  const flags = (name: string) => {
    const verdict = judge(viewOf(name));
    return verdict.ok ? verdict.flags.map(({ code }) => code) : [];
  };
  test("one changed byte: the signature check fails at that entry", () =>
    expect(viewOf("tampered-byte").rejected.map(({ rejection }) => rejection.code)).toEqual([
      "wrong-signer",
    ]));
  test("a withheld entry: a gap, and what rests on it is pending", () => {
    const { members, pending, complete } = viewOf("withheld-entry");
    expect([members.map(({ gap }) => gap?.code), pending.length, complete]).toEqual([
      [undefined, "gap"],
      1,
      false,
    ]);
  });
  test("a fork: at the place of b's commit", () =>
    expect(viewOf("fork").members.map(({ fault }) => fault?.seq)).toEqual([undefined, 0]));
  test("a late entry", () =>
    expect(viewOf("late-entry").order.filter(({ inTime }) => !inTime).length).toBe(1));
  test("moves of another session", () =>
    expect(viewOf("foreign-genesis").members.map(({ used }) => used)).toEqual([2, 0]));
  test("flags", () => {
    expect(flags("copied-commitment")).toEqual(["bad-reveal"]);
    expect(flags("early-reveal")).toEqual(["early-reveal"]);
    expect(flags("vote-open")).toEqual(["duplicate-vote"]);
    expect(flags("auction-english")).toEqual(["low-bid"]);
  });
  test("a sealed session without its key", () =>
    expect(judge(viewOf("sealed-session", false))).toEqual({ ok: false, code: "sealed" }));
  test("look-alikes: the same first ten and last ten digits", () => {
    const [, b, imitation] = viewOf("look-alikes").participants;
    expect([b!.slice(0, 12), b!.slice(-10), b === imitation]).toEqual([
      imitation!.slice(0, 12),
      imitation!.slice(-10),
      false,
    ]);
  });
  test("the long one: two thousand entries", () => expect(viewOf("long-auction").order.length).toBe(1999));
});
