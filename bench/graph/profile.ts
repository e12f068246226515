// The CPU profiler of Chromium: where the main thread was while a page worked, by function.

import type { Page } from "@playwright/test";

interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
    readonly columnNumber: number;
  };
  readonly children?: readonly number[];
}

export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly samples?: readonly number[];
  readonly timeDeltas?: readonly number[];
}

/** Starts the profiler; the function it returns ends it. */
export async function startProfile(page: Page): Promise<() => Promise<CpuProfile>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Profiler.enable");
  await session.send("Profiler.setSamplingInterval", { interval: 500 });
  await session.send("Profiler.start");
  return async () => (await session.send("Profiler.stop")).profile;
}

/** Functions by the time spent in them and in all they call, the most first. */
export function longestFrames(profile: CpuProfile, most = 40): string {
  const { samples = [], timeDeltas = [] } = profile;
  return sumUp(profile, samples, timeDeltas, most);
}

/** The same for each of the longest stretches of script without a pause. */
export function longestTasks(profile: CpuProfile, tasks = 6, most = 22): string {
  const { nodes, samples = [], timeDeltas = [] } = profile;
  const resting = new Set(
    nodes
      .filter(({ callFrame }) => ["(idle)", "(program)"].includes(callFrame.functionName))
      .map(({ id }) => id),
  );
  const stretches: { at: number; length: number; from: number; to: number }[] = [];
  let time = 0;
  let from = -1;
  let begin = 0;
  for (let i = 0; i <= samples.length; i++) {
    if (i === samples.length || resting.has(samples[i]!)) {
      if (from >= 0) stretches.push({ at: begin, length: time - begin, from, to: i });
      from = -1;
    } else if (from < 0) {
      from = i;
      begin = time;
    }
    time += timeDeltas[i] ?? 0;
  }
  return stretches
    .sort((a, b) => b.length - a.length)
    .slice(0, tasks)
    .map(({ at, length, from, to }) => {
      const head = `${(length / 1000).toFixed(0)} ms at ${(at / 1000).toFixed(0)} ms of the profile`;
      return `${head}\n${sumUp(profile, samples.slice(from, to), timeDeltas.slice(from, to), most)}`;
    })
    .join("\n");
}

function sumUp(
  { nodes }: CpuProfile,
  samples: readonly number[],
  timeDeltas: readonly number[],
  most: number,
): string {
  const parent = new Map<number, number>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) for (const child of node.children ?? []) parent.set(child, node.id);
  const own = new Map<number, number>();
  samples.forEach((id, i) => own.set(id, (own.get(id) ?? 0) + timeDeltas[i]!));
  const total = new Map<string, { self: number; all: number }>();
  for (const [id, time] of own) {
    const seen = new Set<string>();
    for (let at: number | undefined = id; at !== undefined; at = parent.get(at)) {
      const { functionName, url, lineNumber, columnNumber } = byId.get(at)!.callFrame;
      const name = `${functionName || "(anonymous)"} ${url.split("/").at(-1)}:${lineNumber + 1}:${columnNumber}`;
      const sum = total.get(name) ?? { self: 0, all: 0 };
      if (at === id) sum.self += time;
      if (!seen.has(name)) sum.all += time;
      seen.add(name);
      total.set(name, sum);
    }
  }
  return [...total]
    .sort(([, a], [, b]) => b.all - a.all)
    .slice(0, most)
    .map(
      ([name, { self, all }]) =>
        `${(all / 1000).toFixed(0).padStart(7)} ms ${(self / 1000).toFixed(0).padStart(7)} own  ${name}`,
    )
    .join("\n");
}
