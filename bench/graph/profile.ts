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

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds, by the wall and by the thread's own clock. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The longest tasks of pages' main threads in a trace of the category `toplevel`. */
export function longestByThread(trace: string, most = 8): string {
  const { traceEvents } = JSON.parse(trace) as { readonly traceEvents: readonly TraceEvent[] };
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid}:${tid}`),
  );
  const tasks = traceEvents
    .filter(({ name, pid, tid }) => name.endsWith("RunTask") && mains.has(`${pid}:${tid}`))
    .sort((a, b) => (b.tdur ?? 0) - (a.tdur ?? 0));
  const ms = (us = 0) => (us / 1000).toFixed(0);
  const over = (limit: number) => tasks.filter(({ tdur = 0 }) => tdur > limit * 1000).length;
  const longest = tasks.slice(0, most).map(({ tdur, dur }) => `${ms(tdur)} (${ms(dur)} by the wall)`);
  return `by the thread's clock: ${over(100)} tasks over 100 ms, ${over(200)} over 200; longest ${longest.join(", ")} ms`;
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
