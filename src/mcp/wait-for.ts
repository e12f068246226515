// Waits, for so long and no longer, until a look at something that changes gives a result.

import type { Clock } from "../platform/clock.ts";

/** The first result of `look` that is not null; null once `ms` are over. */
export function waitFor<T>(
  clock: Clock,
  changing: { subscribe(listener: () => void): () => void },
  ms: number,
  look: () => T | null,
): Promise<T | null> {
  return new Promise((resolve) => {
    let stop: () => void = () => undefined;
    let cancel: () => void = () => undefined;
    const end = (result: T | null): void => {
      stop();
      cancel();
      resolve(result);
    };
    const first = look();
    if (first !== null) return resolve(first);
    stop = changing.subscribe(() => {
      const result = look();
      if (result !== null) end(result);
    });
    cancel = clock.after(ms, () => end(null));
  });
}
