import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildView } from "../../core/build-view.ts";
import { fromHex } from "../../core/bytes.ts";
import { domainKey } from "../../core/seal.ts";
import { checkPlain } from "../../core/signature.ts";
import type { Ref } from "../../core/values.ts";
import { finish } from "../../core/steps.ts";
import { judge } from "../../games/judge.ts";
import { buildGraph } from "../graph/model/build-graph.ts";
import { NODE_STATES, stateOf } from "../graph/model/session-graph.ts";
import { cutSteps, nodesAt, viewSteps } from "./cut.ts";
import { dimOf, filterNodes, motifsOf, statesOf, typesOf } from "./filter.ts";
import {
  NO_FILTERS,
  readState,
  RELATIONS,
  TABS,
  withState,
  type InspectorState,
} from "./inspector-params.ts";

interface Vector {
  readonly name: string;
  readonly session: Ref;
  readonly records: readonly string[];
  readonly key?: string;
}
const vectors = JSON.parse(readFileSync("public/vectors/sessions.json", "utf8")) as Vector[];
const views = vectors.flatMap((vector) => {
  const domain = vector.key === undefined ? undefined : domainKey(fromHex(`0x${vector.key}`));
  const view = buildView(vector.records, vector.session, { check: checkPlain, domain });
  return view.ok ? [[vector.name, view, domain] as const] : [];
});

describe("time travel", () => {
  test.each(views)("the last cut is the live verdict, and every cut has one: %s", (_name, view, domain) => {
    const graph = buildGraph(view);
    const live = judge(view);
    const at = (cut: number | null) =>
      finish(viewSteps(graph, view, nodesAt(graph, view, cut, null), domain));
    expect(judge(at(view.order.length))).toEqual(live);
    expect(judge(at(null))).toEqual(live);
    const cutAt = (position: number | null) =>
      finish(cutSteps({ graph, view, verdict: live, position, observer: null, domain }));
    expect([cutAt(null).view, cutAt(null).verdict, cutAt(null).live]).toEqual([view, live, true]);
    for (const cut of new Set([0, 1, Math.floor(view.order.length / 2), view.order.length - 1])) {
      if (cut < 0) continue;
      const then = at(cut);
      expect(then.order.length).toBeLessThanOrEqual(cut);
      const shown = cutAt(cut);
      expect(shown.view).toEqual(then);
      expect([shown.verdict, shown.live]).toEqual([judge(then), cut >= view.order.length]);
    }
  });

  test.each(views.slice(0, 60))("an observer has seen its own causal past, no more: %s", (_name, view) => {
    const graph = buildGraph(view);
    view.participants.forEach((observer, author) => {
      const there = nodesAt(graph, view, null, observer);
      const last = view.order.filter((move) => move.author === author).at(-1);
      const seen = view.order.filter(({ ref }) => there[graph.index.get(ref)!] === 1);
      expect(seen.length).toBe(last === undefined ? 0 : last.clock.reduce((sum, n) => sum + n, 0));
      finish(viewSteps(graph, view, there));
    });
  });
});

test("filters pass what they name and say how many", () => {
  const [, view] = views.find(([name]) => name === "vote: elected")!;
  const graph = buildGraph(view);
  const votes = filterNodes(graph, { ...NO_FILTERS, types: ["vote"] }, -1)!;
  expect(votes.reduce((sum, n) => sum + n, 0)).toBe(view.order.length);
  expect(filterNodes(graph, NO_FILTERS, -1)).toBeNull();
  expect(dimOf(null, votes)!.reduce((sum, n) => sum + n, 0)).toBe(graph.count - view.order.length);
  expect(typesOf(graph)).toContainEqual({ value: "vote", count: view.order.length });
  const last = graph.index.get(view.order.at(-1)!.ref)!;
  const counts = RELATIONS.map((relation) =>
    filterNodes(graph, { ...NO_FILTERS, relation }, last)!.reduce((sum, n) => sum + n, 0),
  );
  // The entry itself is in all three.
  expect(counts.reduce((sum, n) => sum + n, 0)).toBe(graph.count + 2);
});

test("motifs name what is worth a look", () => {
  const motifs = (name: string) => {
    const [, view] = views.find(([n]) => n === name)!;
    return motifsOf(buildGraph(view), view).map(({ id }) => id);
  };
  expect(motifs("rps rock against paper")).toEqual([]);
  expect(motifs("rps: one reveal")).toEqual(["commit-without-reveal"]);
  expect(motifs("rps: a reveals before b has committed")).toContain("early-reveal");
  expect(motifs("a refers to an entry that does not exist")).toContain("refs-to-missing");
});

test("the state of a failed record uses the words of the filter", () => {
  const [, view] = views.find(([name]) => name === "a forged type")!;
  const graph = buildGraph(view);
  expect(statesOf(graph).some(({ value }) => value === "failed")).toBe(true);
  expect(graph.keys.filter((_, n) => stateOf(graph, n) === "failed").length).toBe(1);
});

test("every state survives the address, and nothing that is not ours is touched", () => {
  const address = fc.stringMatching(/^0x[0-9a-f]{40}$/).map((text) => text as `0x${string}`);
  const hash = fc.stringMatching(/^0x[0-9a-f]{64}$/);
  const state: fc.Arbitrary<InspectorState> = fc.record({
    tab: fc.constantFrom(...TABS),
    entry: fc.oneof(
      fc.constant(null),
      fc.tuple(address, fc.nat(), hash).map(([a, n, h]) => `${a}:${n}:${h}`),
      hash.map((h) => `record:${h}`),
    ),
    cut: fc.option(fc.nat(100_000)),
    observer: fc.option(address),
    filters: fc.record({
      types: fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9-]{0,31}$/), { maxLength: 4 }),
      wallets: fc.uniqueArray(address, { maxLength: 3 }),
      states: fc.subarray([...NODE_STATES]),
      relation: fc.option(fc.constantFrom(...RELATIONS)),
    }),
    folded: fc.boolean(),
    table: fc.boolean(),
  });
  fc.assert(
    fc.property(state, (wanted) => {
      const params = withState(new URLSearchParams("hub=http://h&v=0x12"), wanted);
      expect(readState(params)).toEqual(wanted);
      expect([params.get("hub"), params.get("v")]).toEqual(["http://h", "0x12"]);
      const back = withState(params, readState(new URLSearchParams()));
      expect(back.toString()).toBe("hub=http%3A%2F%2Fh&v=0x12");
    }),
  );
});

test("a malformed parameter counts as not given", () => {
  const params = new URLSearchParams("tab=x&entry=0x1&cut=-1&observer=me&states=odd&relation=near&types=A.b");
  expect(readState(params)).toEqual({
    ...readState(new URLSearchParams()),
    filters: { ...NO_FILTERS, types: ["b"] },
  });
});
