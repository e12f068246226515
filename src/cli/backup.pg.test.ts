// The commands that move a store, on a folder that a server writes to and on a real PostgreSQL.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { utf8 } from "../core/bytes.ts";
import { systemHubEnvironment } from "../hub/hub-environment.ts";
import { HttpHub } from "../hub/hub.http.ts";
import { appendKey } from "../hub/log-keys.ts";
import { LmdbStore } from "../server/hub-store.lmdb.ts";
import { openPostgres } from "../server/postgres-open.ts";
import { QUOTA_OPTIONS } from "../server/quota.ts";
import { startPostgres, type PostgresServer } from "../testing/postgres-server.ts";
import { localWallet } from "../wallet/wallet.local.ts";
import { runCommand } from "./cli.ts";

let postgres: PostgresServer;
let folder: string;
beforeAll(async () => {
  postgres = await startPostgres(["fsync=off"]);
  folder = mkdtempSync(join(tmpdir(), "coop-backup-"));
});
afterAll(async () => {
  await postgres.close();
  rmSync(folder, { recursive: true });
});

async function coop(...args: string[]): Promise<{ readonly code: number; readonly err: string }> {
  let err = "";
  const code = await runCommand(args, {
    out: () => undefined,
    note: (text) => void (err += `${text}\n`),
    readStdin: async function* () {},
    onLine: () => () => undefined,
  });
  return { code, err };
}

const wallet = localWallet(`0x${"11".repeat(32)}`);
const data = (name: string) => join(folder, name);
const file = (name: string) => join(folder, `${name}.backup`);
const digestIn = (text: string) => /digest ([0-9a-f]{64})/.exec(text)?.[1];

test("a backup of a folder in use holds all that was acknowledged before it began", async () => {
  const program = ["--import", "tsx", "src/testing/hub-process.ts", join(data("hot"), "hub")];
  const child = spawn(process.execPath, program, { stdio: ["ignore", "pipe", "inherit"] });
  const [url] = (await once(child.stdout, "data")) as [Buffer];
  const hub = new HttpHub(url.toString().trim(), systemHubEnvironment());
  let seq = 0;
  let isOver = false;
  const write = async () => {
    while (!isOver) await hub.put(wallet, appendKey(seq), utf8(`value ${seq++}`));
  };
  const writing = write();
  while (seq < 30) await new Promise((done) => setImmediate(done));
  const before = seq - 1;
  expect(await coop("backup", file("hot"), "--data", data("hot"))).toMatchObject({ code: 0 });
  isOver = true;
  await writing;
  child.kill();
  await once(child, "exit");
  expect(await coop("restore", file("hot"), "--data", data("restored"))).toMatchObject({ code: 0 });
  const store = new LmdbStore(join(data("restored"), "hub"));
  const page = store.page(wallet.address, "coop1", 0, 1024, 1e6);
  expect(page.length).toBeGreaterThanOrEqual(Math.min(before, 1024));
  expect(page).toEqual(page.map((_, i) => `value ${i}`));
  await store.close();
});

test("migrate, back up, restore: the same digest all the way, and a node serves it", async () => {
  const [first, second] = [await postgres.newDatabase(), await postgres.newDatabase()];
  const moved = await coop("migrate", "--data", data("restored"), "--store", first);
  expect([moved.code, moved.err]).toEqual([0, expect.stringContaining("verified")]);
  expect(await coop("backup", file("moved"), "--store", first)).toMatchObject({ code: 0 });
  const restored = await coop("restore", file("moved"), "--store", second);
  expect(restored).toMatchObject({ code: 0 });
  expect(digestIn(restored.err)).toBe(digestIn(moved.err));
  const node = await openPostgres({ url: second }, QUOTA_OPTIONS);
  expect((await node.page(wallet.address, "coop1", 0, 3, 1e6)).slice(0, 3)).toEqual([
    "value 0",
    "value 1",
    "value 2",
  ]);
  expect(
    await node.put(wallet.address, `coop-${wallet.address}`, appendKey(0), utf8("other"), 1),
  ).toHaveProperty("kept");
  await node.close();
  const again = await coop("migrate", "--data", data("restored"), "--store", first);
  expect(again).toMatchObject({ code: 3 });
  expect(again.err).toContain("--resume");
  expect(await coop("migrate", "--data", data("restored"), "--store", first, "--resume")).toMatchObject({
    code: 0,
  });
});

test("what cannot be used ends with 3 and one sentence, and makes nothing", async () => {
  const store = new LmdbStore(join(data("used"), "hub"));
  const empty = await postgres.newDatabase();
  writeFileSync(file("text"), "no backup\n");
  const cases: [string, string[]][] = [
    ["is there already", ["backup", file("text"), "--data", data("used")]],
    ["holds no store", ["backup", file("none"), "--data", data("nothing")]],
    ["no such file", ["restore", file("missing"), "--data", data("x")]],
    ["no backup of a Hub", ["restore", file("text"), "--data", data("x")]],
    ["no backup of a Hub", ["restore", file("text"), "--store", empty]],
    ["in use by another server", ["migrate", "--data", data("used"), "--store", empty]],
    ["does not answer", ["backup", file("none"), "--store", "postgres://coop@127.0.0.1:1/x"]],
    ["which file", ["backup"]],
  ];
  for (const [message, args] of cases) {
    const { code, err } = await coop(...args);
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
    expect(err.trim().split("\n")).toHaveLength(1);
  }
  expect([file("none"), data("x")].map((path) => existsSync(path))).toEqual([false, false]);
  expect(readFileSync(file("text"), "utf8")).toBe("no backup\n");
  await store.close();
});
