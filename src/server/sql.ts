// What the store needs of an SQL database that speaks PostgreSQL: queries, transactions that are run again where that
// helps, and what an error means, by SQLSTATE.

import { StoreUnavailable } from "./hub-store.ts";

export interface SqlSession {
  /** Bytes are Buffers or arrays of them; numbers come back as numbers where the query casts them to float8. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Several statements without values, for migrations; gives the rows of the last. */
  script(text: string): Promise<readonly object[]>;
}

export interface SqlDatabase extends SqlSession {
  /** Commits what `work` has done, or nothing. */
  transaction<T>(work: (session: SqlSession) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** What one does after an error of the database. */
export type SqlRemedy = "retry" | "wait" | "give-up";

/** Lost a race with another transaction: the same work may succeed at once. */
const RACES: ReadonlySet<string> = new Set([
  "40001", // serialization_failure
  "40P01", // deadlock_detected
  "23505", // unique_violation: another node was first; the next attempt reads what it wrote
]);
/** The server is away, starting, stopping or full of connections. */
const AWAY = /^(08...|57P0[1-3]|53300|ECONN\w+|EPIPE|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/;

export function remedyOf(error: unknown): SqlRemedy {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  if (code === undefined)
    // The driver's own errors of a connection have no code.
    return error instanceof Error && /connection|timeout exceeded/i.test(error.message) ? "wait" : "give-up";
  if (RACES.has(code)) return "retry";
  return AWAY.test(code) ? "wait" : "give-up";
}

export interface SqlRetry {
  /** Milliseconds since 1970, or of any other beginning. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: () => number;
  /** How long a database that is away is waited for. */
  readonly patienceMs: number;
}

const MOST_RACES = 20;
const LONGEST_WAIT_MS = 500;

/**
 * Runs work again after a lost race, and while the database is away, up to the patience.
 * @throws StoreUnavailable where it stays away
 */
export async function withSqlRetries<T>(retry: SqlRetry, work: () => Promise<T>): Promise<T> {
  const until = retry.now() + retry.patienceMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const remedy = remedyOf(error);
      if (remedy === "give-up") throw error;
      if (remedy === "retry" && attempt >= MOST_RACES) throw error;
      if (remedy === "wait" && retry.now() >= until)
        throw new StoreUnavailable("the database does not answer", { cause: error });
      const longest = Math.min(LONGEST_WAIT_MS, (remedy === "retry" ? 2 : 25) * 2 ** Math.min(attempt, 8));
      await retry.sleep(longest * (0.5 + retry.random() / 2));
    }
  }
}
