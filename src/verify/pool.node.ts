// The pool on Node: worker threads that run the compiled worker beside this file, or in a checkout this project's
// TypeScript through tsx, whatever runs the calling thread (tsx itself, or a test runner that compiles by other means).

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { createPoolVerifier, type PoolOptions } from "./verifier.pool.ts";
import type { VerifyResponse, WorkerHandle } from "./worker-protocol.ts";
import type { Verifier } from "./verifier.ts";

export function createNodePoolVerifier(options: Omit<PoolOptions, "spawn"> = {}): Verifier {
  return createPoolVerifier({ size: availableParallelism(), ...options, spawn: spawnNodeWorker });
}

const START = import.meta.url.endsWith(".ts")
  ? new URL("./worker.boot.mjs", import.meta.url)
  : new URL("./worker.node.ts", import.meta.url);

/** Starts a worker thread. It keeps the process alive only while it has a request in hand. */
export function spawnNodeWorker(): WorkerHandle {
  // Without the parent's flags: the thread makes TypeScript loadable by itself.
  const worker = new Worker(START, { execArgv: [] });
  worker.unref();
  let asked = 0;
  return {
    post: (request) => {
      asked++;
      worker.ref();
      worker.postMessage(request);
    },
    listen: (onAnswer, onFailure) => {
      worker.on("message", (found: VerifyResponse) => {
        if (--asked === 0) worker.unref();
        onAnswer(found);
      });
      worker.on("error", (error) => onFailure(String(error)));
      worker.on("messageerror", (error) => onFailure(String(error)));
      worker.on("exit", (code) => onFailure(`it ended with code ${code}`));
    },
    terminate: () => void worker.terminate(),
  };
}
