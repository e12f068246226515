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
export function longestFrames({ nodes, samples = [], timeDeltas = [] }: CpuProfile, most = 60): string {
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
