// The verifier without workers: everything on the calling thread, in slices short enough that a page still answers.

import type { FindingCache } from "./findings-cache.ts";
import { createEngine, loadMethods, type Engine, type Methods } from "./engine.ts";
import { allUnchecked, findAll, type Runner } from "./findings.ts";
import { verifyRecords, type Memory } from "./levels.ts";
import { defaultPace, type Pace } from "../platform/time-slices.ts";
import type { Verifier } from "./verifier.ts";

export interface InlineOptions {
  /** Default: the fastest that load here. */
  readonly methods?: Promise<Methods> | Methods;
  readonly cache?: FindingCache;
  readonly pace?: Pace;
}

/** A slice aims at this many milliseconds, well under the 100 that people notice. */
const SLICE_MS = 40;
const LEAST_SLICE = 16;
const MOST_SLICE = 1024;

export function createInlineVerifier(options: InlineOptions = {}): Verifier {
  const methods = Promise.resolve(options.methods ?? loadMethods());
  const engine = methods.then(createEngine);
  const runner = createInlineRunner(engine, options.pace ?? defaultPace);
  let closed = false;
  return {
    async verify(records, verifyOptions) {
      if (closed) throw new Error("the verifier is closed");
      const memory = options.cache === undefined ? undefined : memoryOf(options.cache, await methods);
      return verifyRecords(runner, records, verifyOptions, memory);
    },
    close() {
      closed = true;
      runner.close();
    },
  };
}

function memoryOf(cache: FindingCache, { hashing }: Methods): Memory {
  return { cache, keyOf: hashing.sha256 };
}

/** A task at a time, of a length that follows the measured speed. */
export function createInlineRunner(engine: Promise<Engine>, pace: Pace): Runner {
  let closed = false;
  const chunks = { parse: 64, check: 64 };
  return {
    lanes: 1,
    chunk: (task) => chunks[task],
    async run(task, wires, _signal, parsed) {
      const ready = await engine;
      await pace.pause();
      if (closed) return allUnchecked(wires.length, "the verifier was closed");
      const start = pace.now();
      const findings = findAll(ready, task, wires, parsed);
      const spent = Math.max(1, pace.now() - start);
      const fit = Math.round((wires.length * SLICE_MS) / spent);
      chunks[task] = Math.min(MOST_SLICE, Math.max(LEAST_SLICE, Math.min(fit, 4 * chunks[task])));
      return findings;
    },
    close() {
      closed = true;
    },
  };
}
