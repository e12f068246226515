// A pool of connections to PostgreSQL (the driver `pg`). Statements are prepared once for each connection; every one has a
// time limit, on the server and here, so that a database that hangs is noticed.

import { createHash } from "node:crypto";
import pg from "pg";
import type { SqlDatabase, SqlSession } from "./sql.ts";

export interface PgOptions {
  readonly url: string;
  readonly connections: number;
  /** Milliseconds to connect, and for one statement; 0: no limit. */
  readonly connectMs: number;
  readonly statementMs: number;
}

export class PgDatabase implements SqlDatabase {
  readonly #pool: pg.Pool;

  constructor({ url, connections, connectMs, statementMs }: PgOptions) {
    this.#pool = new pg.Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: connectMs,
      statement_timeout: statementMs,
      ...(statementMs > 0 && { query_timeout: statementMs + 1_000 }),
      idle_in_transaction_session_timeout: 2 * statementMs,
      keepAlive: true,
      application_name: "coop",
    });
    // A connection that breaks while it is idle is replaced; without a listener it would end the process.
    this.#pool.on("error", () => undefined);
  }

  query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return run<Row>(this.#pool, text, values);
  }

  async transaction<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    // One that breaks in mid transaction rejects the query under way; the event says the same once more.
    const ignore = () => undefined;
    client.on("error", ignore);
    let broken: Error | undefined;
    try {
      await client.query("BEGIN");
      const result = await work({
        query: (text, values = []) => run(client, text, values),
        script: (text) => runScript(client, text),
      });
      await client.query("COMMIT");
      return result;
    } catch (error) {
      await client.query("ROLLBACK").catch((fault: Error) => (broken = fault));
      throw error;
    } finally {
      client.off("error", ignore);
      client.release(broken);
    }
  }

  script(text: string): Promise<readonly object[]> {
    return runScript(this.#pool, text);
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

async function runScript(to: pg.Pool | pg.PoolClient, text: string): Promise<readonly object[]> {
  const found = (await to.query(text)) as pg.QueryResult<object> | pg.QueryResult<object>[];
  return [found].flat().at(-1)?.rows ?? [];
}

const names = new Map<string, string>();

async function run<Row extends object>(
  to: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  let name = names.get(text);
  if (name === undefined)
    names.set(text, (name = `coop-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`));
  return (await to.query<Row>({ name, text, values: [...values] })).rows;
}
