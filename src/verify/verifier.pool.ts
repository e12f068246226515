// The verifier over a pool of workers. Whatever becomes of a worker, every call settles: what a killed, silent or
// failing worker had in hand is unchecked, and another worker takes its place for the rest.

import type { FindingCache } from "./findings-cache.ts";
import { allUnchecked, type Finding, type Runner, type Task } from "./findings.ts";
import { plainHashing, wasmHashing } from "../crypto/hashing.ts";
import { verifyRecords, type Memory } from "./levels.ts";
import { unpackFindings } from "./packed-findings.ts";
import type { VerifyResponse, WorkerHandle } from "./worker-protocol.ts";
import type { Verifier } from "./verifier.ts";

/** The timer that bounds a chunk; the result stops it. */
export type After = (ms: number, then: () => void) => () => void;

export interface PoolOptions {
  readonly spawn: () => WorkerHandle;
  /** Number of workers. Default: one for each processor, at most 8. */
  readonly size?: number;
  readonly cache?: FindingCache;
  /** Longest time a worker may take over one chunk. Default: 30 s. */
  readonly timeoutMs?: number;
  readonly after?: After;
  /** Starts a first worker at once, so that its script is loaded before there is anything to verify. */
  readonly startsEarly?: boolean;
}

/** Records a worker takes at once: enough for a large batch, few enough to show progress and to share out. */
const CHUNK = { parse: 512, check: 512 };
const MOST_WORKERS = 8;

export function createPoolVerifier(options: PoolOptions): Verifier {
  const runner = new PoolRunner(options);
  const hashing = options.cache === undefined ? undefined : wasmHashing().catch(() => plainHashing);
  return {
    async verify(records, verifyOptions) {
      if (runner.closed) throw new Error("the verifier is closed");
      const memory: Memory | undefined = options.cache &&
        hashing && { cache: options.cache, keyOf: (await hashing).sha256 };
      return verifyRecords(runner, records, verifyOptions, memory);
    },
    close: () => runner.close(),
  };
}

interface Job {
  readonly task: Task;
  readonly wires: readonly string[];
  readonly settle: (findings: readonly Finding[]) => void;
}

/** Jobs a worker has in hand: one under way, and one to go on with while its answer is read. */
const DEPTH = 2;

class PoolRunner implements Runner {
  readonly lanes: number;
  closed = false;
  readonly #options: PoolOptions;
  readonly #size: number;
  readonly #slots = new Set<WorkerSlot>();
  readonly #waiting: Job[] = [];
  #nextId = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#size = Math.max(1, Math.min(MOST_WORKERS, options.size ?? navigator.hardwareConcurrency));
    this.lanes = DEPTH * this.#size;
    if (options.startsEarly === true) this.#add().start();
  }

  chunk(task: Task): number {
    return CHUNK[task];
  }

  run(task: Task, wires: readonly string[], signal?: AbortSignal): Promise<readonly Finding[]> {
    return new Promise((resolve) => {
      const stop = (): void => settle(allUnchecked(wires.length, "stopped before its check ended"));
      const settle = (findings: readonly Finding[]): void => {
        signal?.removeEventListener("abort", stop);
        resolve(findings);
      };
      signal?.addEventListener("abort", stop, { once: true });
      if (this.closed) settle(allUnchecked(wires.length, CLOSED));
      else {
        this.#waiting.push({ task, wires, settle });
        this.#serve();
      }
    });
  }

  close(): void {
    this.closed = true;
    for (const job of this.#waiting.splice(0)) job.settle(allUnchecked(job.wires.length, CLOSED));
    for (const slot of [...this.#slots]) slot.end(CLOSED);
  }

  #serve(): void {
    while (!this.closed && this.#waiting.length > 0) {
      const slot = this.#leastBusy();
      if (slot === undefined) return;
      slot.give(this.#nextId++, this.#waiting.shift()!);
    }
  }

  /** An idle worker, else a new one, else the one with the least in hand; none where all have enough. */
  #leastBusy(): WorkerSlot | undefined {
    let best: WorkerSlot | undefined;
    for (const slot of this.#slots) if (best === undefined || slot.load < best.load) best = slot;
    if (best?.load === 0) return best;
    if (this.#slots.size < this.#size) return this.#add();
    return best !== undefined && best.load < DEPTH ? best : undefined;
  }

  #add(): WorkerSlot {
    const slot: WorkerSlot = new WorkerSlot(this.#options, () => {
      if (slot.ended) this.#slots.delete(slot);
      this.#serve();
    });
    this.#slots.add(slot);
    return slot;
  }
}

const CLOSED = "the verifier was closed";
const TIMEOUT_MS = 30_000;

const defaultAfter: After = (ms, then) => {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
};

/** One worker and the jobs it has in hand. */
class WorkerSlot {
  ended = false;
  readonly #options: PoolOptions;
  readonly #changed: () => void;
  readonly #jobs = new Map<number, Job & { readonly stopTimer: () => void }>();
  #worker: WorkerHandle | undefined;

  constructor(options: PoolOptions, changed: () => void) {
    this.#options = options;
    this.#changed = changed;
  }

  get load(): number {
    return this.#jobs.size;
  }

  give(id: number, job: Job): void {
    const ms = this.#options.timeoutMs ?? TIMEOUT_MS;
    const stopTimer = (this.#options.after ?? defaultAfter)(ms, () =>
      this.end(`no answer from its worker within ${ms} ms`),
    );
    this.#jobs.set(id, { ...job, stopTimer });
    this.start();
    try {
      this.#worker?.post({ id, task: job.task, wires: job.wires });
    } catch (error) {
      this.end(`the worker took no records: ${String(error)}`);
    }
  }

  /** Starts the worker, where it is not running yet; one that does not start has ended. */
  start(): void {
    try {
      this.#worker ??= this.#spawn();
    } catch (error) {
      this.end(`the worker did not start: ${String(error)}`);
    }
  }

  /** Ends the worker; what it had in hand is unchecked. */
  end(why: string): void {
    if (this.ended) return;
    this.ended = true;
    this.#worker?.terminate();
    for (const [id, { wires }] of [...this.#jobs]) this.#finish(id, allUnchecked(wires.length, why));
    this.#changed();
  }

  #spawn(): WorkerHandle {
    const worker = this.#options.spawn();
    worker.listen(
      (found) => this.#take(found),
      (why) => this.end(`its worker failed: ${why}`),
    );
    return worker;
  }

  #take({ id, findings }: VerifyResponse): void {
    if (this.ended || !this.#jobs.has(id)) return;
    this.#finish(id, unpackFindings(findings));
    this.#changed();
  }

  #finish(id: number, findings: readonly Finding[]): void {
    const job = this.#jobs.get(id);
    this.#jobs.delete(id);
    job?.stopTimer();
    job?.settle(findings);
  }
}
