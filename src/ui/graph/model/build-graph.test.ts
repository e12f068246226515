import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { buildView } from "../../../core/build-view.ts";
import { checkPlain } from "../../../core/signature.ts";
import type { Ref } from "../../../core/values.ts";
import type { View } from "../../../core/view.ts";
import { buildGraph } from "./build-graph.ts";
import { futureOf, pastOf } from "./causality.ts";
import { edgeKindOf, stateOf, type NodeState, type SessionGraph } from "./session-graph.ts";

interface Vector {
  readonly name: string;
  readonly session: Ref;
  readonly records: readonly string[];
}
const vectors = JSON.parse(readFileSync("public/vectors/sessions.json", "utf8")) as Vector[];

function graphOf(name: string): { graph: SessionGraph; view: View } {
  const vector = vectors.find((v) => v.name === name);
  if (vector === undefined) throw new Error(`no vector ${name}`);
  const view = buildView(vector.records, vector.session, { check: checkPlain });
  if (!view.ok) throw new Error(view.code);
  return { graph: buildGraph(view), view };
}

const states = (graph: SessionGraph, state: NodeState) =>
  graph.keys.filter((_, n) => stateOf(graph, n) === state);

describe("every session vector", () => {
  const views = vectors.flatMap((vector) => {
    const view = buildView(vector.records, vector.session, { check: checkPlain });
    return view.ok ? [[vector.name, view] as const] : [];
  });

  test.each(views)("%s", (_name, view) => {
    const graph = buildGraph(view);
    // Nothing is hidden: each entry that names the session, and each record, is a node or counted as unplaced.
    for (const entry of view.entries.values())
      if (entry.refs.includes(view.session)) expect(graph.index.has(entry.ref)).toBe(true);
    const records = graph.keys.filter((key) => key.startsWith("record:"));
    expect(records.length + graph.unplaced).toBe(view.rejected.length + view.unchecked.length);
    // Edges lead to the left; no two nodes share a place; both ends exist.
    for (let e = 0; e < graph.edges.count; e++)
      expect(graph.column[graph.edges.to[e]!]).toBeLessThan(graph.column[graph.edges.from[e]!]!);
    const places = new Set(graph.keys.map((_, n) => `${graph.row[n]}:${graph.column[n]}`));
    expect(places.size).toBe(graph.count);
    // The past that is drawn is the past of the vector clocks.
    for (const move of view.order.slice(0, 40)) {
      const past = pastOf(graph, [graph.index.get(move.ref)!]);
      const seen = view.order.filter((other) => past[graph.index.get(other.ref)!] === 1);
      expect(seen.length).toBe(move.clock.reduce((sum, n) => sum + n, 0));
    }
    // Every move appears in its turn and nothing after the last.
    view.order.forEach((move, i) => expect(graph.appears[graph.index.get(move.ref)!]).toBe(i + 1));
    for (const at of graph.appears) expect(at).toBeLessThanOrEqual(view.order.length);
  });
});

test("a fork splits its lane: both versions, in rows of their own, void", () => {
  const { graph, view } = graphOf("b forks its commit");
  const fault = view.members[1]!.fault!;
  const [a, b] = fault.versions.map(({ ref }) => graph.index.get(ref)!) as [number, number];
  expect([stateOf(graph, a), stateOf(graph, b)]).toEqual(["void", "void"]);
  expect(graph.row[a]).not.toBe(graph.row[b]);
  expect(graph.lanes[1]!.rows).toBe(2);
});

test("what rests on a void entry is marked", () => {
  const { graph, view } = graphOf("b forks its commit");
  const versions = view.members[1]!.fault!.versions.map(({ ref }) => graph.index.get(ref)!);
  const future = futureOf(graph, versions);
  graph.keys.forEach((_, n) => {
    if (versions.includes(n)) return;
    expect(graph.tainted[n]).toBe(future[n]);
  });
});

test("a missing entry is a ghost, and what refers to it is pending", () => {
  const { graph, view } = graphOf("a refers to an entry that does not exist");
  const ghosts = states(graph, "missing");
  expect(ghosts).toEqual(
    view.pending.flatMap(({ missing }) => missing).filter((ref) => !view.entries.has(ref)),
  );
  for (const { entry } of view.pending) expect(stateOf(graph, graph.index.get(entry.ref)!)).toBe("pending");
});

test("a hole in a log is a ghost in the lane; the entries behind it are shown", () => {
  const { graph, view } = graphOf("a missing entry in the middle");
  const gap = view.members.find((member) => member.gap !== null)!;
  const ghost = graph.index.get(states(graph, "missing")[0]!)!;
  expect(graph.seq[ghost]).toBe(gap.gap!.seq);
  const edge = graph.children.list[graph.children.start[ghost]!]!;
  expect(["gap", "ref"]).toContain(edgeKindOf(graph, edge));
});

test("a record whose signature fails stands at its place, failed, apart from what is sound", () => {
  const { graph, view } = graphOf("a forged type");
  expect(view.rejected.length).toBe(1);
  const failed = graph.index.get(`record:${view.rejected[0]!.hash}`)!;
  expect(stateOf(graph, failed)).toBe("failed");
});

test("a stranger's entry has a lane of its own", () => {
  const { graph } = graphOf("a stranger writes into the session");
  expect(graph.lanes.at(-1)).toMatchObject({ role: "others", wallet: null });
  expect(states(graph, "outside").length).toBe(1);
});
