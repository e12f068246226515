// A PostgreSQL server of one's own, on a loopback port, in a folder that goes with it. PostgreSQL refuses to run as root,
// so root starts it as the user that its package made.

import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "./free-port.ts";

export interface PostgresServer {
  readonly port: number;
  /** Of the database `postgres`. */
  readonly url: string;
  /** Makes an empty database and gives its URL. */
  newDatabase(): Promise<string>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on its port and folder. */
  start(): Promise<void>;
  /** Ends it and removes its folder. */
  close(): Promise<void>;
}

/** The folder of the newest PostgreSQL's programs. @throws where there is none */
export function postgresPrograms(): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(":"),
  ];
  const found = folders.find((folder) => existsSync(join(folder, "initdb")));
  if (found === undefined)
    throw new Error("there is no PostgreSQL server: install it (apt-get install postgresql)");
  return found;
}

/** `settings` as for `postgres -c`. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const programs = postgresPrograms();
  const folder = mkdtempSync(join(tmpdir(), "coop-postgres-"));
  const user = userFor(folder);
  const data = join(folder, "data");
  execFileSync(
    join(programs, "initdb"),
    ["-D", data, "-U", "coop", "-A", "trust", "--no-sync", "-E", "UTF8"],
    {
      ...user,
      cwd: folder,
      stdio: "ignore",
    },
  );
  const port = await freePort();
  const url = `postgres://coop@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;
  let databases = 0;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill(signal);
    await exit;
  };
  const server: PostgresServer = {
    port,
    url,
    newDatabase: async () => {
      const name = `test${++databases}`;
      await execute(url, `CREATE DATABASE ${name}`);
      return url.replace(/postgres$/, name);
    },
    kill: async () => {
      // SIGQUIT ends all of its processes at once and without a checkpoint; SIGKILL would leave its children behind.
      await end("SIGQUIT");
    },
    start: async () => {
      const options = ["listen_addresses=127.0.0.1", "max_connections=200", ...settings];
      child = spawn(
        join(programs, "postgres"),
        ["-D", data, "-p", String(port), "-k", folder, ...options.flatMap((option) => ["-c", option])],
        { ...user, cwd: folder, stdio: "ignore" },
      );
      await untilAnswering(url);
    },
    close: async () => {
      await end("SIGINT");
      rmSync(folder, { recursive: true });
    },
  };
  await server.start();
  return server;
}

/** Runs one statement on a connection of its own. */
export async function execute(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

async function untilAnswering(url: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await execute(url, "SELECT 1");
    } catch (error) {
      if (attempt > 300) throw error;
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}

function userFor(folder: string): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  const user = { uid: id("-u"), gid: id("-g") };
  chownSync(folder, user.uid, user.gid);
  return user;
}
