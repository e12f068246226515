import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldRuns } from "../model/fold.ts";
import { boxOf, COLUMN_WIDTH, fit, reveal, ROW_HEIGHT, sizeOf, xOf } from "./geometry.ts";
import { largeGraph, sampleGraph } from "../model/sample-graph.ts";
import { edgeKindOf } from "../model/session-graph.ts";
import { summarise } from "./summary.ts";
import { walk } from "../model/walk.ts";
import { apply, diff, firstStep, isCrowded, NO_ELEMENTS, visible } from "./window.ts";

function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

//  a: a0 ─ a1 ─────── a2
//            ╲       ╱
//  b: b0 ─────── b1 ╱
const small = sampleGraph(2, [
  { name: "a0", lane: 0, seq: 0 },
  { name: "b0", lane: 1, seq: 0 },
  { name: "a1", lane: 0, seq: 1, prev: "a0" },
  { name: "b1", lane: 1, seq: 1, prev: "b0", refs: ["a1"] },
  { name: "a2", lane: 0, seq: 2, prev: "a1", refs: ["b1"] },
]);
const at = (name: string) => small.index.get(name)!;
const step = (name: string, way: Parameters<typeof walk>[2]) => {
  const found = walk(small, at(name), way);
  return found === undefined ? undefined : small.keys[found];
};

describe("walking", () => {
  test("along the lane, to parent and child in another lane", () => {
    expect([step("a0", "next"), step("a1", "next"), step("a2", "next")]).toEqual(["a1", "a2", undefined]);
    expect([step("a2", "previous"), step("a0", "previous")]).toEqual(["a1", undefined]);
    expect([step("b1", "parent"), step("b1", "child"), step("a1", "child")]).toEqual(["a1", "a2", "b1"]);
  });
  test("to what is concurrent, and between lanes", () => {
    expect([step("b0", "concurrent"), step("a2", "concurrent")]).toEqual(["a0", undefined]);
    expect([step("a1", "down"), step("b1", "up"), step("a1", "up")]).toEqual(["b0", "a1", undefined]);
  });
});

describe("window", () => {
  test("holds what is in the box, with bare ends for edges that leave it", () => {
    const box = { left: 0, top: 0, right: COLUMN_WIDTH / 2, bottom: ROW_HEIGHT * 2 };
    const { nodes, ends, edges } = visible(small, box, 0);
    expect([...nodes].map((n) => small.keys[n]).sort()).toEqual(["a0", "b0"]);
    expect([...ends].map((n) => small.keys[n]).sort()).toEqual(["a1", "b1"]);
    expect([...edges].map((e) => edgeKindOf(small, e))).toEqual(["chain", "chain"]);
  });

  test("steps of any size lead from any window to any other, never with an edge before its ends", () => {
    const graph = largeGraph(2_000, 6, seeded(7));
    const { width, height } = sizeOf(graph);
    const box = fc
      .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 100, max: 1500 }))
      .map(([part, span]) => ({ left: part * width, right: part * width + span, top: 0, bottom: height }));
    fc.assert(
      fc.property(box, box, fc.integer({ min: 1, max: 200 }), (a, b, most) => {
        let present = apply(NO_ELEMENTS, diff(NO_ELEMENTS, visible(graph, a, 50)), visible(graph, a, 50));
        const wanted = visible(graph, b, 50);
        for (let guard = 0; guard < 100_000; guard++) {
          const change = firstStep(diff(present, wanted), most);
          if (change.size === 0) break;
          expect(change.size).toBeLessThanOrEqual(most);
          present = apply(present, change, wanted);
          for (const e of present.edges)
            for (const n of [graph.edges.from[e]!, graph.edges.to[e]!])
              expect(present.nodes.has(n) || present.ends.has(n)).toBe(true);
        }
        expect(present).toEqual(wanted);
      }),
      { numRuns: 40 },
    );
  });

  test("crowded is detected without counting everything", () => {
    const graph = largeGraph(5_000, 6, seeded(1));
    const all = { left: 0, top: 0, right: Infinity, bottom: Infinity };
    expect(isCrowded(graph, all, 4_999)).toBe(true);
    expect(isCrowded(graph, all, 5_000)).toBe(false);
  });
});

test("a summary counts every entry once and keeps the worst state", () => {
  const graph = largeGraph(10_000, 8, seeded(3));
  const { width, height } = sizeOf(graph);
  const summary = summarise(
    graph,
    { left: 0, top: 0, right: width, bottom: height },
    { across: 200, down: 50 },
  );
  expect(summary.across).toBeLessThanOrEqual(200);
  expect(summary.counts.reduce((sum, n) => sum + n, 0)).toBe(10_000);
  expect(summary.worst.filter((state) => state === 0).length).toBeGreaterThan(5);
});

describe("folding", () => {
  const chain = (lane: number, from: number, to: number, extra: { [seq: number]: readonly string[] } = {}) =>
    Array.from({ length: to - from }, (_, i) => {
      const seq = from + i;
      const prev = seq > 0 ? { prev: `${"ab"[lane]}${seq - 1}` } : {};
      return { name: `${"ab"[lane]}${seq}`, lane, seq, ...prev, refs: extra[seq] ?? [] };
    });

  test("a run is one node; a ref into it ends it on either side", () => {
    // a0 ─ … ─ a9 ─ a10 ─ … ─ a19, and b0 refers to a9
    const graph = sampleGraph(2, [...chain(0, 0, 20), ...chain(1, 0, 1, { 0: ["a9"] })]);
    const folded = foldRuns(graph, new Set());
    expect([...folded.size]).toEqual([1, 8, 1, 10, 1]);
    expect(folded.keys).toEqual(["a0", "a1", "a9", "a10", "b0"]);
    expect(folded.index.get("a5")).toBe(folded.index.get("a1"));
    expect(folded.columns).toBe(4);
    expect(foldRuns(graph, new Set(["a1", "a10"])).count).toBe(21);
  });

  test("short runs and other states stay", () => {
    const graph = sampleGraph(1, [
      ...chain(0, 0, 4),
      { name: "x", lane: 0, seq: 4, prev: "a3", state: "late" as const },
    ]);
    expect(foldRuns(graph, new Set()).count).toBe(5);
  });
});

test("the camera fits a small graph, shows the beginning of a large one, and follows a node", () => {
  const screen = { width: 800, height: 400 };
  const options = { gutter: 100, least: 0.5, most: 1.25 };
  expect(boxOf(fit(small, screen, options), screen).right).toBeGreaterThan(sizeOf(small).width);
  const graph = largeGraph(1_000, 2, seeded(2));
  const camera = fit(graph, screen, options);
  expect(camera.zoom).toBe(0.5);
  const last = walk(graph, 0, "last")!;
  const moved = reveal(graph, last, camera, screen, 100);
  const box = boxOf(moved, screen);
  expect(xOf(graph, last)).toBeGreaterThan(box.left);
  expect(xOf(graph, last)).toBeLessThan(box.right);
  expect(reveal(graph, last, moved, screen, 100)).toEqual(moved);
});

test("long chains and large graphs are laid out without recursion", () => {
  const count = 100_000;
  const graph = largeGraph(count, 12, seeded(5));
  expect(graph.count).toBe(count);
  expect(walk(graph, 0, "concurrent")).toBeDefined();
});
