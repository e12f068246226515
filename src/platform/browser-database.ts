// One connection to a database of the browser (IndexedDB), opened when first used. It closes for another tab that
// upgrades, says when another tab blocks it, opens again what the browser has closed (iOS does, in the background) and
// does not wait for ever. Every store of the page opens its database here.

import { openDB, type DBSchema, type IDBPDatabase, type OpenDBCallbacks } from "idb";
import { CodedError } from "./coded-error.ts";
import { Observable } from "./observable.ts";

export type DatabaseCode =
  /** This browser has no such storage here (some private windows). */
  | "unavailable"
  /** Another tab holds an older version open; it is opened as soon as that tab closes. */
  | "blocked"
  /** Another tab has a newer version of the app: this one must be loaded again. */
  | "outdated"
  /** The browser has not answered in time. */
  | "timeout"
  /** There may be something in it, and it does not open: a full disk, a damaged file. */
  | "failed";

/** A database could not be opened, or did not answer. Nothing is known to have happened. */
export class DatabaseError extends CodedError<DatabaseCode> {
  override readonly name = "DatabaseError";
}

/** Calls `work` once after `ms`; answers the way to cancel (see clock.ts). */
export type After = (ms: number, work: () => void) => () => void;

export interface DatabaseOptions<Schema> {
  readonly name: string;
  /** Opens it with these callbacks; most pass them on to `openDB` with a version and `upgrade`. */
  readonly open: (callbacks: Callbacks<Schema>) => Promise<IDBPDatabase<Schema>>;
  readonly after?: After;
}

export type Callbacks<Schema> = Pick<OpenDBCallbacks<Schema>, "blocked" | "blocking" | "terminated">;

/** How long opening may take before it is reported; it goes on, and the next use finds it open. */
export const OPEN_MS = 3_000;
/** How long a read or a write may take before its connection is given up. */
export const WORK_MS = 20_000;

/** Names of databases that wait for another tab to close, for the page to show. */
export const blockedDatabases = new Observable<readonly string[]>([]);

export class BrowserDatabase<Schema> {
  readonly #options: DatabaseOptions<Schema>;
  readonly #after: After;
  #opening: Promise<IDBPDatabase<Schema>> | undefined;
  #isBlocked = false;

  constructor(options: DatabaseOptions<Schema>) {
    this.#options = options;
    this.#after = options.after ?? timer;
  }

  /** Resolves once it is open. @throws DatabaseError */
  async ready(): Promise<void> {
    await this.#connection();
  }

  /**
   * Runs work on the open connection. Where the connection turns out to be lost, it is opened again and the work is
   * run once more; work that is not `repeatable` only if its transaction had not begun.
   * @throws DatabaseError, what the work throws
   */
  async run<T>(work: (db: IDBPDatabase<Schema>) => Promise<T>, repeatable = true): Promise<T> {
    const db = await this.#connection();
    try {
      return await this.#inTime(work(db), WORK_MS);
    } catch (error) {
      if (!isLost(error)) throw error;
      this.close();
      const mayRepeat =
        isNamed(error, "InvalidStateError") || (repeatable && !isNamed(error, "DatabaseError"));
      if (!mayRepeat) throw error;
    }
    const again = await this.#connection();
    return this.#inTime(work(again), WORK_MS);
  }

  close(): void {
    const opening = this.#opening;
    this.#opening = undefined;
    opening?.then(
      (db) => db.close(),
      () => undefined,
    );
  }

  #connection(): Promise<IDBPDatabase<Schema>> {
    this.#opening ??= this.#open();
    return this.#inTime(this.#opening, OPEN_MS);
  }

  #open(): Promise<IDBPDatabase<Schema>> {
    const drop = () => {
      if (this.#opening === opening) this.#opening = undefined;
    };
    const opening: Promise<IDBPDatabase<Schema>> = this.#options
      .open({
        blocked: () => this.#setBlocked(true),
        // Another tab upgrades or deletes it: this connection makes way, and the next use opens it again.
        blocking: (_current, _blocked, event) => {
          drop();
          (event.target as IDBDatabase).close();
        },
        terminated: drop,
      })
      .catch((error: unknown) => {
        drop();
        throw openError(this.#options.name, error);
      })
      .finally(() => this.#setBlocked(false));
    return opening;
  }

  /** The promise, or an error after so long; it is not given up, only no longer waited for. */
  #inTime<T>(promise: Promise<T>, ms: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.#after(ms, () => reject(this.#late()));
      promise.then(resolve, reject).finally(cancel);
    });
  }

  #late(): DatabaseError {
    if (this.#isBlocked)
      return new DatabaseError(
        "blocked",
        "another tab holds an older version of this page’s storage: close it or load it again",
      );
    return new DatabaseError("timeout", "this browser’s storage does not answer");
  }

  #setBlocked(isBlocked: boolean): void {
    this.#isBlocked = isBlocked;
    const { name } = this.#options;
    const others = blockedDatabases.getSnapshot().filter((each) => each !== name);
    if (isBlocked) blockedDatabases.set([...others, name]);
    else if (others.length < blockedDatabases.getSnapshot().length) blockedDatabases.set(others);
  }
}

/** A database of one version: `upgrade` makes its stores. */
export function browserDatabase<Schema extends DBSchema>(
  name: string,
  upgrade: (fresh: IDBPDatabase<Schema>) => void,
  after?: After,
): BrowserDatabase<Schema> {
  return new BrowserDatabase<Schema>({
    name,
    // Within an async function: where the browser forbids storage, opening throws at once.
    open: async (callbacks) => openDB<Schema>(name, 1, { ...callbacks, upgrade }),
    ...(after !== undefined && { after }),
  });
}

function openError(name: string, cause: unknown): DatabaseError {
  if (isNamed(cause, "VersionError"))
    return new DatabaseError(
      "outdated",
      "another tab has a newer version of this page: load this one again",
      {
        cause,
      },
    );
  const isThere = ["UnknownError", "QuotaExceededError", "AbortError"].some((each) => isNamed(cause, each));
  return isThere
    ? new DatabaseError("failed", `this browser could not open its storage ${name}`, { cause })
    : new DatabaseError("unavailable", "this browser keeps nothing here", { cause });
}

/** The connection is gone; a transaction that was under way may have completed or not. */
function isLost(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.code === "timeout";
  return ["InvalidStateError", "UnknownError", "AbortError"].some((name) => isNamed(error, name));
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

function timer(ms: number, work: () => void): () => void {
  const started = setTimeout(work, ms);
  return () => clearTimeout(started);
}
