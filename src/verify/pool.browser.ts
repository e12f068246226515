// The pool in a browser: Web Workers that the bundler makes of worker.browser.ts. Only the app imports this file.

import { createPoolVerifier, type PoolOptions } from "./verifier.pool.ts";
import type { VerifyResponse, WorkerHandle } from "./worker-protocol.ts";
import type { Verifier } from "./verifier.ts";

/**
 * A pool, or the inline verifier where the page can have no workers (opened from a file, say). Only then is the
 * curve's code loaded into the page.
 */
export async function createBrowserVerifier(options: Omit<PoolOptions, "spawn"> = {}): Promise<Verifier> {
  if (typeof Worker !== "undefined" && location.protocol !== "file:")
    return createPoolVerifier({ ...options, spawn: spawnBrowserWorker });
  const { createInlineVerifier } = await import("./verifier.inline.ts");
  return createInlineVerifier(options.cache === undefined ? {} : { cache: options.cache });
}

export function spawnBrowserWorker(): WorkerHandle {
  const worker = new Worker(new URL("./worker.browser.ts", import.meta.url), { type: "module" });
  return {
    post: (request) => worker.postMessage(request),
    listen: (onAnswer, onFailure) => {
      worker.onmessage = (event: MessageEvent<VerifyResponse>) => onAnswer(event.data);
      worker.onerror = (event) => onFailure(event.message || "it could not be loaded");
      worker.onmessageerror = () => onFailure("its answer could not be read");
    },
    terminate: () => worker.terminate(),
  };
}
