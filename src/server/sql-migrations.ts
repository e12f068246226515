// Brings a database to the store's present form (postgrator: numbered SQL files with checksums), and refuses one that is
// not ours: other tables under our names, or a form newer than this program.

import { fileURLToPath } from "node:url";
import Postgrator from "postgrator";
import { remedyOf, type SqlDatabase, type SqlSession } from "./sql.ts";

const FOLDER = fileURLToPath(new URL("./migrations/", import.meta.url));
const VERSIONS = "hub_schema_version";
/** Nodes that start together race for the same migration: those that lose find it done at their next attempt. */
const ATTEMPTS = 5;

/** @throws where the database's form is not one that this program knows */
export async function migrateSchema(database: SqlDatabase): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await migrateOnce(database);
    } catch (error) {
      if (attempt >= ATTEMPTS || !isRace(error)) throw error;
    }
  }
}

async function migrateOnce(database: SqlDatabase): Promise<void> {
  const newest = await postgratorOf(database).getMaxVersion();
  // In this order: another node may make the tables and their number between the two questions.
  const hasTables = await hasHubTables(database);
  const present = await versionOf(database);
  if (present === newest) return;
  if (present !== undefined && present > newest)
    throw new Error(
      `the database has form ${present}, and this program knows forms up to ${newest}: install the newer program`,
    );
  if (present === undefined && hasTables)
    throw new Error(
      "the database has tables named hub_… that this program did not make: give another database or schema",
    );
  // All or nothing: tables without the number of their form would be nobody's.
  await database.transaction((session) => postgratorOf(session).migrate());
}

function postgratorOf(session: SqlSession): Postgrator {
  return new Postgrator({
    driver: "pg",
    migrationPattern: `${FOLDER}*.sql`,
    schemaTable: VERSIONS,
    validateChecksums: true,
    newline: "LF",
    execQuery: async (text) => ({ rows: [...(await session.script(text))] }),
  });
}

async function versionOf(database: SqlDatabase): Promise<number | undefined> {
  try {
    const [row] = await database.query<{ version: number | null }>(
      `SELECT max(version)::float8 AS version FROM ${VERSIONS}`,
    );
    return row?.version ?? undefined;
  } catch (error) {
    if (codeOf(error) === "42P01") return undefined; // undefined_table
    throw error;
  }
}

async function hasHubTables(database: SqlDatabase): Promise<boolean> {
  const found = await database.query(
    "SELECT 1 AS one FROM information_schema.tables WHERE table_schema = current_schema() AND table_name IN ('hub_buckets', 'hub_entries', 'hub_objects', 'hub_rows', 'hub_usage')",
  );
  return found.length > 0;
}

/** Two creations of one table end in duplicate_table, or in a unique_violation of the catalogue. */
function isRace(error: unknown): boolean {
  return codeOf(error) === "42P07" || remedyOf(error) === "retry";
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
