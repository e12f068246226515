// The lock between processes: a second server, a killed one, and what may lie where the lock file should.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockFolder } from "./folder-lock.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "coop-lock-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const MODULE = new URL("folder-lock.ts", import.meta.url).href;
const HOLDER = `
  const { lockFolder } = await import(${JSON.stringify(MODULE)});
  try { lockFolder(process.argv[1]); console.log("held"); setInterval(() => undefined, 1000); }
  catch (error) { console.log(error.message); }`;

async function holder() {
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", HOLDER, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { child, says: line.toString().trim() };
}

test("one holder at a time, in one process too; let go, the next may hold it", () => {
  const release = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(`${folder} is in use by another server`);
  release();
  lockFolder(folder)();
});

test("a living process keeps others out; killed with SIGKILL it blocks nothing", async () => {
  const first = await holder();
  expect(first.says).toBe("held");
  expect(() => lockFolder(folder)).toThrow("in use by another server");
  expect((await holder()).says).toContain(`${folder} is in use by another server`);
  const exit = once(first.child, "exit");
  first.child.kill("SIGKILL");
  await exit;
  lockFolder(folder)();
});

test.each([
  ["empty", ""],
  ["with one's own process number", String(process.pid)],
  ["with the number of a living process", String(process.ppid)],
  ["with 1, which every container's first process has", "1"],
])("a lock file %s that nobody holds does not block", (_what, text) => {
  writeFileSync(join(folder, "hub.lock"), text);
  const release = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow("in use");
  release();
});

test("a dangling link in its place is replaced, and what it names is not made", () => {
  symlinkSync(join(folder, "nowhere"), join(folder, "hub.lock"));
  const release = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow("in use");
  expect(() => readFileSync(join(folder, "nowhere"))).toThrow("ENOENT");
  release();
});
