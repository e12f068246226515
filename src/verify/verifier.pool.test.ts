import { expect, test } from "vitest";
import { describeVerifier } from "./verifier.contract.ts";
import { createEngine, plainMethods } from "./engine.ts";
import { packFindings, unpackFindings } from "./packed-findings.ts";
import { createPoolVerifier } from "./verifier.pool.ts";
import { createNodePoolVerifier, spawnNodeWorker } from "./pool.node.ts";
import { respond, type VerifyResponse, type VerifyRequest, type WorkerHandle } from "./worker-protocol.ts";
import { sampleEntries } from "../testing/signed-entries.ts";

describeVerifier("pool of Node workers", () => createNodePoolVerifier({ size: 2 }));

const wires = sampleEntries(40, 2).map((entry) => entry.wire);

/** Workers stepped by hand: a request waits until it is answered, or its worker killed. */
class Bench {
  readonly workers: Stepped[] = [];
  readonly timers = new Set<() => void>();
  readonly spawn = (): WorkerHandle => {
    const worker = new Stepped();
    this.workers.push(worker);
    return worker;
  };
  readonly after = (_ms: number, then: () => void): (() => void) => {
    this.timers.add(then);
    return () => this.timers.delete(then);
  };
  /** All time is over. */
  expire(): void {
    for (const fire of [...this.timers]) {
      this.timers.delete(fire);
      fire();
    }
  }
  /** Answers every request until none is left. */
  async drain(until: (request: VerifyRequest) => boolean = () => false): Promise<void> {
    for (;;) {
      const worker = this.workers.find((one) => one.requests.length > 0 && !one.ended);
      if (worker === undefined) return;
      if (until(worker.requests[0]!)) return;
      await worker.reply();
      await turn();
    }
  }
}

class Stepped implements WorkerHandle {
  readonly requests: VerifyRequest[] = [];
  ended = false;
  fail: (why: string) => void = () => undefined;
  #onAnswer: (answer: VerifyResponse) => void = () => undefined;
  post(request: VerifyRequest): void {
    this.requests.push(request);
  }
  listen(onAnswer: (answer: VerifyResponse) => void, onFailure: (why: string) => void): void {
    this.#onAnswer = onAnswer;
    this.fail = onFailure;
  }
  terminate(): void {
    this.ended = true;
  }
  async reply(change: (answer: VerifyResponse) => VerifyResponse = (same) => same): Promise<void> {
    const engine = Promise.resolve(createEngine(plainMethods));
    this.#onAnswer(change(await respond(engine, this.requests.shift()!)));
    await Promise.resolve();
  }
}

const stepped = (bench: Bench) => createPoolVerifier({ spawn: bench.spawn, after: bench.after, size: 2 });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("a killed worker leaves exactly its records unchecked, and another takes its place", async () => {
  const bench = new Bench();
  const done = stepped(bench).verify(wires, { level: "verified" });
  await turn();
  const lost = bench.workers[0]!.requests[0]!.wires;
  bench.workers[0]!.fail("it ended with code 1");
  await bench.drain();
  const report = await done;
  expect(report.counts).toEqual({
    verified: 40 - lost.length,
    covered: 0,
    rejected: 0,
    unchecked: lost.length,
  });
  report.states.forEach((state, i) =>
    expect(state.state).toBe(lost.includes(wires[i]!) ? "unchecked" : "verified"),
  );
  expect(report.states.find((one) => one.state === "unchecked")).toMatchObject({
    why: "its worker failed: it ended with code 1",
  });
});

test("a silent worker is ended after its time, its records unchecked", async () => {
  const bench = new Bench();
  const done = stepped(bench).verify(wires, { level: "verified" });
  await turn();
  expect(bench.timers.size).toBe(2);
  bench.expire();
  expect((await done).counts.unchecked).toBe(40);
  expect(bench.workers.every((worker) => worker.ended)).toBe(true);
  expect(bench.timers.size).toBe(0);
});

test("an answer that is too short vouches for nothing", async () => {
  const bench = new Bench();
  const done = stepped(bench).verify(wires, { level: "verified" });
  await turn();
  const asked = bench.workers[0]!.requests[0]!.wires.length;
  await bench.workers[0]!.reply((found) => ({
    ...found,
    findings: packFindings(unpackFindings(found.findings).slice(1)),
  }));
  await bench.drain();
  expect((await done).counts).toMatchObject({ verified: 40 - asked, unchecked: asked });
});

test("an response to another request is not taken", async () => {
  const bench = new Bench();
  const done = stepped(bench).verify(wires, { level: "verified" });
  await turn();
  await bench.workers[0]!.reply((found) => ({ ...found, id: 99 }));
  bench.expire();
  const counts = (await done).counts;
  expect(counts).toMatchObject({ verified: 0, unchecked: 40 });
});

test("a worker that cannot start leaves its records unchecked", async () => {
  const verifier = createPoolVerifier({
    spawn: () => {
      throw new Error("refused by policy");
    },
    size: 2,
  });
  const report = await verifier.verify(wires, { level: "verified" });
  expect(report.counts.unchecked).toBe(40);
});

test("abort in the middle settles at once; what was answered stays", async () => {
  const bench = new Bench();
  const stop = new AbortController();
  const done = stepped(bench).verify(wires, { level: "verified", signal: stop.signal });
  await turn();
  const answered = bench.workers[0]!.requests[0]!.wires.length;
  await bench.workers[0]!.reply();
  stop.abort();
  expect((await done).counts).toMatchObject({ verified: answered, unchecked: 40 - answered });
});

test("close in the middle settles as unchecked and ends the workers", async () => {
  const bench = new Bench();
  const verifier = stepped(bench);
  const done = verifier.verify(wires, { level: "authenticated" });
  await turn();
  verifier.close();
  expect((await done).counts.unchecked).toBe(40);
  expect(bench.workers.every((worker) => worker.ended)).toBe(true);
});

test("a tip whose worker dies covers nothing", async () => {
  const bench = new Bench();
  const done = stepped(bench).verify(wires, { level: "authenticated" });
  await turn();
  await bench.drain((request) => request.task === "check");
  const asked = bench.workers.find((one) => one.requests.length > 0)!;
  expect(asked.requests[0]).toMatchObject({ task: "check", wires: wires.slice(-2) });
  asked.fail("killed");
  await turn();
  await bench.drain();
  expect((await done).counts).toEqual({ verified: 2, covered: 36, rejected: 0, unchecked: 2 });
});

test("a real worker that is terminated under way leaves no call pending and no pass behind", async () => {
  const handles: WorkerHandle[] = [];
  const verifier = createPoolVerifier({
    spawn: () => {
      const handle = spawnNodeWorker();
      handles.push(handle);
      return handle;
    },
    size: 1,
  });
  const done = verifier.verify(wires, { level: "verified" });
  await turn();
  handles[0]!.terminate();
  expect((await done).counts).toMatchObject({ verified: 0, unchecked: 40 });
  verifier.close();
});
