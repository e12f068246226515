// One holder of a name at a time: across the tabs of a browser by Web Locks, else within this page or process. A wait
// that lasts is reported, with what the holder is doing: it may be a frozen tab, or one whose wallet asks a person.

import { Observable } from "./observable.ts";

/** One holder of a name at a time. `crossTab` false: only within this page or process, and the interface says so. */
export interface Locks {
  readonly crossTab: boolean;
  /** Runs `work` while holding the name; others wait. Released when `work` settles or its tab dies. */
  run<T>(name: string, work: (hold: Hold) => Promise<T>): Promise<T>;
}

export interface Hold {
  /** What is being done, for those that wait in other tabs; null for nothing in particular. */
  describe(doing: Doing | null): void;
}

/** `asking`: a wallet asks a person for a signature. */
export type Doing = "asking";

/** A name that another tab has held for longer than `LATE_MS`. */
export interface LockWait {
  readonly name: string;
  readonly holder: Doing | null;
}

export interface TabLocks extends Locks {
  readonly waits: Observable<readonly LockWait[]>;
}

/** The part of `navigator.locks` (Web Locks API) that is used. */
export interface WebLockManager {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Short texts that all tabs see. */
export interface LockNotes {
  get(key: string): string | null;
  set(key: string, text: string): void;
  remove(key: string): void;
}

export interface TabLocksOptions {
  readonly after: (ms: number, work: () => void) => () => void;
  readonly notes: LockNotes;
}

/** A wait is reported after so long; what the holder does is read again as often. */
export const LATE_MS = 2_000;

/** Web Locks where the page has them (secure contexts only), else within the page, which says that it is that. */
export function browserLocks(manager: WebLockManager | undefined, options: TabLocksOptions): TabLocks {
  const waits = new Observable<readonly LockWait[]>([]);
  if (manager === undefined) return { ...localLocks(), waits };
  const without = (name: string) => waits.getSnapshot().filter((wait) => wait.name !== name);
  const noteOf = (name: string) => `coop-lock/${name}`;
  const run = async <T>(name: string, work: (hold: Hold) => Promise<T>): Promise<T> => {
    const report = (): void => {
      const holder = options.notes.get(noteOf(name)) === "asking" ? "asking" : null;
      waits.set([...without(name), { name, holder }]);
      cancel = options.after(LATE_MS, report);
    };
    let cancel = options.after(LATE_MS, report);
    const settle = (): void => {
      cancel();
      if (waits.getSnapshot().some((wait) => wait.name === name)) waits.set(without(name));
    };
    const describe = (doing: Doing | null): void => {
      if (doing === null) options.notes.remove(noteOf(name));
      else options.notes.set(noteOf(name), doing);
    };
    try {
      return await manager.request(name, async () => {
        settle();
        // A tab that died while it held the name has left its note.
        describe(null);
        try {
          return await work({ describe });
        } finally {
          describe(null);
        }
      });
    } finally {
      settle();
    }
  };
  return { crossTab: true, run, waits };
}

/** Locks within one page or process. */
export function localLocks(): Locks {
  const last = new Map<string, Promise<unknown>>();
  const hold: Hold = { describe: () => undefined };
  return {
    crossTab: false,
    run: (name, work) => {
      const run = (last.get(name) ?? Promise.resolve()).then(() => work(hold));
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
