// PostgreSQL in this process (PGlite): the engine that every machine has. One connection, so transactions take turns.

import { PGlite } from "@electric-sql/pglite";
import type { SqlDatabase, SqlSession } from "../server/sql.ts";

type Queries = Pick<PGlite, "query" | "exec">;

export class PgliteDatabase implements SqlDatabase {
  readonly #engine: PGlite;

  private constructor(engine: PGlite) {
    this.#engine = engine;
  }

  static async open(): Promise<PgliteDatabase> {
    return new PgliteDatabase(await PGlite.create());
  }

  query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return sessionOf(this.#engine).query<Row>(text, values);
  }

  script(text: string): Promise<readonly object[]> {
    return sessionOf(this.#engine).script(text);
  }

  transaction<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    return this.#engine.transaction((transaction) => work(sessionOf(transaction)));
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}

function sessionOf(queries: Queries): SqlSession {
  return {
    query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
      (await queries.query<Row>(text, [...values])).rows.map(withBuffers),
    script: async (text) => (await queries.exec(text)).at(-1)?.rows ?? [],
  };
}

/** PGlite gives bytes as Uint8Array, the driver as Buffer. */
function withBuffers<Row extends object>(row: Row): Row {
  const entries = Object.entries(row).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value,
  ]);
  return Object.fromEntries(entries) as Row;
}
