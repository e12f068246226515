// The verifier over a pool of workers. Whatever becomes of a worker, every call settles: what a killed, silent or
// failing worker had in hand is unchecked, and another worker takes its place for the rest.

import type { FindingCache } from "./cache.ts";
import { allUnchecked, type Finding, type Runner, type Task } from "./findings.ts";
import { plainHashing, wasmHashing } from "./hashing.ts";
import { verifyRecords, type Memory } from "./levels.ts";
import type { Answer, WorkerHandle } from "./protocol.ts";
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

class PoolRunner implements Runner {
  readonly lanes: number;
  closed = false;
  readonly #options: PoolOptions;
  readonly #idle: Seat[] = [];
  readonly #busy = new Set<Seat>();
  readonly #waiting: Job[] = [];
  #nextId = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.lanes = Math.max(1, Math.min(MOST_WORKERS, options.size ?? navigator.hardwareConcurrency));
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
    for (const seat of this.#busy) seat.end(CLOSED);
    for (const seat of this.#idle.splice(0)) seat.end(CLOSED);
    this.#busy.clear();
  }

  #serve(): void {
    while (this.#waiting.length > 0 && this.#busy.size < this.lanes) {
      const job = this.#waiting.shift()!;
      const seat = this.#idle.pop() ?? this.#seat();
      if (seat === undefined) continue;
      this.#busy.add(seat);
      seat.give(this.#nextId++, job);
    }
  }

  #seat(): Seat {
    const seat = new Seat(this.#options, (alive) => {
      if (!this.#busy.delete(seat)) this.#idle.splice(this.#idle.indexOf(seat) >>> 0, 1);
      else if (alive) this.#idle.push(seat);
      if (!this.closed) this.#serve();
    });
    return seat;
  }
}

const CLOSED = "the verifier was closed";
const TIMEOUT_MS = 30_000;

const defaultAfter: After = (ms, then) => {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
};

/** One worker and the job it has in hand. */
class Seat {
  readonly #options: PoolOptions;
  readonly #free: (alive: boolean) => void;
  #worker: WorkerHandle | undefined;
  #job: (Job & { readonly id: number; readonly stopTimer: () => void }) | undefined;
  #ended = false;

  constructor(options: PoolOptions, free: (alive: boolean) => void) {
    this.#options = options;
    this.#free = free;
  }

  give(id: number, job: Job): void {
    const ms = this.#options.timeoutMs ?? TIMEOUT_MS;
    const stopTimer = (this.#options.after ?? defaultAfter)(ms, () =>
      this.end(`no answer from its worker within ${ms} ms`),
    );
    this.#job = { ...job, id, stopTimer };
    try {
      this.#worker ??= this.#start();
      this.#worker.post({ id, task: job.task, wires: job.wires });
    } catch (error) {
      this.end(`the worker did not start: ${String(error)}`);
    }
  }

  /** Ends the worker; what it had in hand is unchecked. */
  end(why: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#worker?.terminate();
    this.#finish((wires) => allUnchecked(wires.length, why));
    this.#free(false);
  }

  #start(): WorkerHandle {
    const worker = this.#options.spawn();
    worker.listen(
      (found) => this.#take(found),
      (why) => this.end(`its worker failed: ${why}`),
    );
    return worker;
  }

  #take(found: Answer): void {
    if (this.#ended || this.#job?.id !== found.id) return;
    this.#finish(() => found.findings);
    this.#free(true);
  }

  #finish(findings: (wires: readonly string[]) => readonly Finding[]): void {
    const job = this.#job;
    this.#job = undefined;
    job?.stopTimer();
    job?.settle(findings(job.wires));
  }
}
