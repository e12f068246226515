// `coop backup`, `coop restore` and `coop migrate`: a Hub's store to a file and back, and from LMDB to PostgreSQL.

import { createReadStream, existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { errorText } from "../platform/coded-error.ts";
import { lockFolder } from "../server/folder-lock.ts";
import { dumpLmdb, loadLmdb } from "../server/lmdb-dump.ts";
import { isEmptyDatabase, loadPostgres, withDump } from "../server/postgres-dump.ts";
import { openDatabase } from "../server/postgres-open.ts";
import { migrateSchema } from "../server/sql-migrations.ts";
import type { SqlDatabase } from "../server/sql.ts";
import {
  backupLines,
  counted,
  DumpSummer,
  isSameSum,
  readBackup,
  sumOf,
  type DumpSum,
  type StoreDump,
  type StoreRecord,
} from "../server/store-dump.ts";
import { readArguments, type Arguments } from "./arguments.ts";
import { EXIT, Unusable, type ExitCode, type SafeConsole } from "./console.ts";

const WHERE = `  --data DIR     the folder of coop serve (default .data)
  --store URL    PostgreSQL in place of the folder: postgres://user@host/database (or COOP_STORE)`;

export const BACKUP_HELP = `coop backup FILE [--data DIR | --store URL]

Writes the Hub's store, as it is at one moment, into a new file. Servers go on meanwhile.
${WHERE}
Exit: 0 written, 3 it could not be.`;

export const RESTORE_HELP = `coop restore FILE [--data DIR | --store URL] [--resume]

Makes a store from a backup, after the whole file was checked. No server may use it meanwhile.
${WHERE}
  --resume       go on with a restore into PostgreSQL that was cut off
Exit: 0 the store holds exactly what the file says, 3 it could not be made.`;

export const MIGRATE_HELP = `coop migrate --store URL [--data DIR] [--resume]

Copies the store of a folder to PostgreSQL and compares both by hashes. The server must be stopped.
${WHERE}
  --resume       go on with one that was cut off
Exit: 0 both hold the same, 3 it could not be done.`;

const FLAGS = { values: ["data", "store"], switches: ["resume"] };

export async function backup(args: readonly string[], console: SafeConsole): Promise<ExitCode> {
  const given = readArguments(args, FLAGS, 1);
  const file = fileOf(given);
  if (existsSync(file)) throw new Unusable(`${file} is there already: give the name of a new file`);
  const write = (dump: StoreDump) => writeFile(file, backupLines(dump));
  const url = storeOf(given);
  await explained(() =>
    url === undefined
      ? write(dumpLmdb(folderOf(given)))
      : withDatabase(url, (database) => withDump(database, write)),
  );
  console.note(`written: ${file}`);
  return EXIT.ok;
}

export async function restore(args: readonly string[], console: SafeConsole): Promise<ExitCode> {
  const given = readArguments(args, FLAGS, 1);
  const file = fileOf(given);
  if (!existsSync(file)) throw new Unusable(`${file}: there is no such file`);
  const url = storeOf(given);
  await explained(async () => {
    const expected = await sumOf(readFile(file));
    if (url === undefined) {
      const folder = folderOf(given);
      await loadLmdb(folder, readFile(file));
      return compare(expected, await sumOf(dumpLmdb(folder)), console);
    }
    return withDatabase(url, (database) => fill(database, given, readFile(file), expected, console));
  });
  return EXIT.ok;
}

export async function migrate(args: readonly string[], console: SafeConsole): Promise<ExitCode> {
  const given = readArguments(args, FLAGS, 0);
  const url = storeOf(given);
  if (url === undefined) throw new Unusable("where to? Give --store postgres://user@host/database");
  const folder = folderOf(given);
  if (!existsSync(join(folder, "hub.mdb"))) throw new Unusable(`${folder} holds no store: give its --data`);
  await explained(async () => {
    const release = lockFolder(folder);
    try {
      await withDatabase(url, (database) => fill(database, given, dumpLmdb(folder), undefined, console));
    } finally {
      release();
    }
  });
  return EXIT.ok;
}

async function fill(
  database: SqlDatabase,
  given: Arguments,
  dump: StoreDump,
  expected: DumpSum | undefined,
  console: SafeConsole,
): Promise<void> {
  await migrateSchema(database);
  if (!given.has("resume") && !(await isEmptyDatabase(database)))
    throw new Unusable("the database holds a store already: give an empty one, or --resume to go on");
  const summer = new DumpSummer();
  await loadPostgres(database, counted(dump, summer));
  compare(expected ?? summer.sum, await withDump(database, sumOf), console);
}

function compare(expected: DumpSum, found: DumpSum, console: SafeConsole): void {
  const { buckets, objects, rows, digest } = found;
  if (!isSameSum(expected, found))
    throw new Unusable(
      `the store holds ${objects} objects and ${rows} rows (${digest}), and it should be ${expected.objects} and ${expected.rows} (${expected.digest}): it held others before; begin with an empty one`,
    );
  console.note(`verified: ${buckets} buckets, ${objects} objects, ${rows} rows, digest ${digest}`);
}

function fileOf(given: Arguments): string {
  const [file] = given.positionals;
  if (file === undefined) throw new Unusable("which file? Give its name");
  return resolve(file);
}

function storeOf(given: Arguments): string | undefined {
  const named = given.value("store");
  if (named !== undefined && given.value("data") !== undefined && given.positionals.length > 0)
    throw new Unusable("--data or --store, not both");
  // A folder that is named goes before a database of the environment.
  return named ?? (given.value("data") === undefined ? process.env["COOP_STORE"] : undefined);
}

function folderOf(given: Arguments): string {
  return join(resolve(given.value("data") ?? ".data"), "hub");
}

async function withDatabase<T>(url: string, work: (database: SqlDatabase) => Promise<T>): Promise<T> {
  const database = await openDatabase(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** What goes wrong here lies in what was given: a file, a folder, a database, a disk. */
async function explained(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Unusable) throw error;
    const full = error instanceof Error && "code" in error && error.code === "ENOSPC";
    throw new Unusable(full ? "the disk is full: make room, or give a file elsewhere" : errorText(error));
  }
}

/** Under another name until it is whole and on disk. */
async function writeFile(path: string, lines: AsyncIterable<string>): Promise<void> {
  const part = `${path}.part`;
  const handle = await open(part, "w", 0o600);
  try {
    let waiting: string[] = [];
    for await (const line of lines) {
      waiting.push(line);
      if (waiting.length < 1_000) continue;
      await handle.appendFile(waiting.join(""));
      waiting = [];
    }
    await handle.appendFile(waiting.join(""));
    await handle.sync();
    await handle.close();
    await rename(part, path);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
}

/** Opens the file with the first record that is asked for: lines that pass before are lost. */
async function* readFile(path: string): AsyncGenerator<StoreRecord> {
  yield* readBackup(createInterface({ input: createReadStream(path), crlfDelay: Infinity }));
}
