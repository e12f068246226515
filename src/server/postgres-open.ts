// Opens the store on PostgreSQL by its URL, and says in one sentence what is wrong where that fails. A password is part of
// the URL: no message repeats it.

import { errorText } from "../platform/coded-error.ts";
import { PostgresStore } from "./hub-store.postgres.ts";
import { StoreUnavailable } from "./hub-store.ts";
import type { QuotaOptions } from "./quota.ts";
import { PgDatabase } from "./sql.pg.ts";
import { remedyOf, type SqlDatabase, type SqlRetry } from "./sql.ts";

export interface PostgresSettings {
  readonly url: string;
  /** Connections to the database at once. */
  readonly connections?: number;
  /** How long a request waits for a database that is away. */
  readonly patienceMs?: number;
}

const CONNECTIONS = 10;
const PATIENCE_MS = 3_000;
const CONNECT_MS = 3_000;
const STATEMENT_MS = 10_000;

/** @throws an error whose message says what to do */
export async function openPostgres(settings: PostgresSettings, quota: QuotaOptions): Promise<PostgresStore> {
  const place = placeOf(settings.url);
  const database = new PgDatabase({
    url: settings.url,
    connections: settings.connections ?? CONNECTIONS,
    connectMs: CONNECT_MS,
    statementMs: STATEMENT_MS,
  });
  try {
    return await PostgresStore.open(database, sqlRetry(settings.patienceMs ?? PATIENCE_MS), quota);
  } catch (error) {
    throw new Error(whatIsWrong(error, place), { cause: error });
  }
}

/** The database itself, for commands that read or write it whole: statements may take as long as they take. */
export async function openDatabase(url: string): Promise<SqlDatabase> {
  const place = placeOf(url);
  const database = new PgDatabase({ url, connections: 2, connectMs: CONNECT_MS, statementMs: 0 });
  try {
    await database.query("SELECT 1 AS one");
    return database;
  } catch (error) {
    await database.close();
    const away = remedyOf(error) === "wait" ? new StoreUnavailable("away", { cause: error }) : error;
    throw new Error(whatIsWrong(away, place), { cause: error });
  }
}

export function sqlRetry(patienceMs: number): SqlRetry {
  return {
    now: () => performance.now(),
    sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
    random: Math.random,
    patienceMs,
  };
}

interface Place {
  readonly host: string;
  readonly database: string;
  readonly user: string;
}

/** Where a URL leads, without its password. @throws where it is no URL of PostgreSQL */
export function placeOf(url: string): Place {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^postgres(ql)?:$/.test(parsed.protocol) || parsed.hostname === "")
    throw new Error("a store is a URL such as postgres://user@host:5432/database");
  return {
    host: parsed.host,
    database: parsed.pathname.slice(1) || parsed.username,
    user: decodeURIComponent(parsed.username),
  };
}

function whatIsWrong(error: unknown, { host, database, user }: Place): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  if (error instanceof StoreUnavailable)
    return `PostgreSQL does not answer at ${host}: start it, or correct --store`;
  if (code === "3D000")
    return `PostgreSQL at ${host} has no database ${database}: make it (createdb ${database}), or correct --store`;
  if (code === "28P01" || code === "28000")
    return `PostgreSQL at ${host} does not let ${user || "this user"} in: correct user and password of --store`;
  if (code === "42501")
    return `${user} may not make tables in the database ${database} at ${host}: grant CREATE on its schema, or correct --store`;
  return `the database ${database} at ${host} cannot be used: ${errorText(error)}`;
}
