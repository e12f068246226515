// Giving the event loop its turn between slices of work. Apart from the verifiers, so that who only needs this loads no curve.

/** The clock and the pause between slices. */
export interface Pace {
  /** Milliseconds from any start. */
  now(): number;
  /** Resolves once the event loop has had a turn. */
  pause(): Promise<void>;
}

export const defaultPace: Pace = {
  now: () => performance.now(),
  // A message, not a timer: browsers stretch nested timers to 4 ms.
  pause: () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    }),
};

/** Longest slice, in milliseconds: a click is answered within a few of these even on a busy machine. */
const SLICE_MS = 10;

/**
 * Runs steps to their end; the event loop has its turn before them and whenever a slice of them has lasted long enough.
 * Rejects with the signal's reason once it is aborted, and with what a step throws.
 */
export async function runSteps<T>(steps: Iterator<void, T>, pace: Pace, signal?: AbortSignal): Promise<T> {
  await pace.pause();
  return goOnWith(steps, pace, signal);
}

/** The same at once, for steps after little else: what is over within a slice is done before anything else has its turn. */
export async function goOnWith<T>(steps: Iterator<void, T>, pace: Pace, signal?: AbortSignal): Promise<T> {
  let since = pace.now();
  for (;;) {
    signal?.throwIfAborted();
    const step = steps.next();
    if (step.done === true) return step.value;
    if (pace.now() - since < SLICE_MS) continue;
    await pace.pause();
    since = pace.now();
  }
}
