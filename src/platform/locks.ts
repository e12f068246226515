// One holder of a name at a time: across the tabs of a browser by Web Locks, else within this page or process.

/** One holder of a name at a time. `crossTab` false: only within this page or process, and the interface says so. */
export interface Locks {
  readonly crossTab: boolean;
  /** Runs `work` while holding the name; others wait. Released when `work` settles or its tab dies. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** The part of `navigator.locks` (Web Locks API) that is used. */
export interface WebLockManager {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Web Locks where the page has them (secure contexts only), else the fallback, which says that it is one. */
export function browserLocks(manager: WebLockManager | undefined): Locks {
  if (manager === undefined) return localLocks();
  return { crossTab: true, run: (name, work) => manager.request(name, work) };
}

/** Locks within one page or process. */
export function localLocks(): Locks {
  const last = new Map<string, Promise<unknown>>();
  return {
    crossTab: false,
    run: (name, work) => {
      const run = (last.get(name) ?? Promise.resolve()).then(work);
      const settled = run
        .catch(() => undefined)
        .then(() => {
          if (last.get(name) === settled) last.delete(name);
        });
      last.set(name, settled);
      return run;
    },
  };
}
