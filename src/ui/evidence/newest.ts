// Work that is asked for faster than it is done: one piece at a time, and of what is asked for meanwhile only the newest.

export interface NewestOptions<A, M> {
  readonly make: (asked: A, signal: AbortSignal) => Promise<M>;
  readonly show: (made: M) => void;
  /** Told what `make` rejects with, unless it was ended. */
  readonly fail: (error: unknown) => void;
}

/** The function that asks; null ends what is being made, and nothing of it is shown. */
export function newestOnly<A, M>({ make, show, fail }: NewestOptions<A, M>): (asked: A | null) => void {
  let wanted: A | null = null;
  let running: AbortController | null = null;
  const run = async ({ signal }: AbortController): Promise<void> => {
    for (let next = wanted; next !== null && !signal.aborted; next = wanted === next ? null : wanted) {
      const made = await make(next, signal);
      if (!signal.aborted) show(made);
    }
  };
  return (asked) => {
    wanted = asked;
    if (asked === null) running?.abort();
    if (asked === null || running?.signal.aborted === false) return;
    const ended = (running = new AbortController());
    run(ended)
      .catch((error: unknown) => {
        if (!ended.signal.aborted) fail(error);
      })
      .finally(() => {
        if (running === ended) running = null;
      });
  };
}
