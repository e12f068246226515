// A write that was acknowledged outlives the process that acknowledged it.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fromUtf8, utf8 } from "../core/bytes.ts";
import { systemHubEnvironment } from "../hub/hub-environment.ts";
import { HttpHub } from "../hub/hub.http.ts";
import { appendKey, LOG } from "../hub/log-keys.ts";
import { localWallet } from "../wallet/wallet.local.ts";

const writers = ["11", "22", "33", "44"].map((byte) => localWallet(`0x${byte.repeat(32)}`));
const value = (seq: number) => `value ${seq} ${"x".repeat(seq % 700)}`;

const SERVER = [process.execPath, "--import", "tsx", "src/testing/hub-process.ts"];
/** The same, no file of which may grow beyond 4,096 blocks: to its store that is a disk without room. */
const CRAMPED = ["/bin/sh", "-c", 'ulimit -f 4096; exec "$0" "$@"', ...SERVER];

async function start(folder: string, command = SERVER): Promise<{ child: ChildProcess; hub: HttpHub }> {
  const [program = "", ...args] = command;
  const child = spawn(program, [...args, folder], {
    stdio: ["ignore", "pipe", command === SERVER ? "inherit" : "ignore"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const retry = { attempts: 1, base: 1, most: 1 };
  return {
    child,
    hub: new HttpHub(line.toString().trim(), systemHubEnvironment(), { retry, concurrency: 64 }),
  };
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

test("kill -9 under load loses no acknowledged write", async () => {
  const folder = mkdtempSync(join(tmpdir(), "coop-kill-"));
  const acknowledged = writers.map(() => new Set<number>());
  let seq = 0;
  let killed = 0;
  for (const most of [400, 900]) {
    const { child, hub } = await start(folder);
    let acks = 0;
    let alive = true;
    const write = async (writer: number) => {
      while (alive) {
        const mine = seq++;
        try {
          await hub.put(writers[writer]!, appendKey(mine), utf8(value(mine)));
          acknowledged[writer]!.add(mine);
          if (++acks === most) child.kill("SIGKILL");
        } catch {
          alive = false;
        }
      }
    };
    const exit = once(child, "exit");
    await Promise.all(Array.from({ length: 32 }, (_, i) => write(i % writers.length)));
    const [, signal] = (await exit) as [number | null, string | null];
    if (signal === "SIGKILL") killed++;
  }
  expect(killed).toBe(2);

  const { child, hub } = await start(folder);
  for (const [i, writer] of writers.entries()) {
    const missing: number[] = [];
    for (const mine of acknowledged[i]!) {
      const bytes = await hub.get(writer.address, appendKey(mine));
      if (bytes === null || fromUtf8(bytes) !== value(mine)) missing.push(mine);
    }
    expect(missing).toEqual([]);
    const listed = new Set<string>();
    for (;;) {
      const page = await hub.page(writer.address, LOG, listed.size, 1024);
      for (const text of page) listed.add(text);
      if (page.length === 0) break;
    }
    expect([...acknowledged[i]!].filter((mine) => !listed.has(value(mine)))).toEqual([]);
  }
  await kill(child);
  rmSync(folder, { recursive: true });
});

test("without room a write is refused, the server goes on, and nothing acknowledged is lost", async () => {
  const folder = mkdtempSync(join(tmpdir(), "coop-room-"));
  const [writer] = writers;
  const large = (seq: number) => utf8(`${seq} ${"x".repeat(15_000)}`);
  const { child, hub } = await start(folder, CRAMPED);
  let acknowledged = 0;
  let refusal: unknown;
  while (refusal === undefined && acknowledged < 1_000)
    await hub.put(writer!, appendKey(acknowledged), large(acknowledged)).then(
      () => acknowledged++,
      (error: unknown) => (refusal = error),
    );
  expect(acknowledged).toBeGreaterThan(10);
  expect(refusal).toMatchObject({ code: "server" });
  await expect(hub.put(writer!, appendKey(acknowledged), large(acknowledged))).rejects.toMatchObject({
    code: "server",
  });
  const lost = async (from: HttpHub) => {
    const missing: number[] = [];
    for (let seq = 0; seq < acknowledged; seq++)
      if ((await from.get(writer!.address, appendKey(seq)))?.length !== large(seq).length) missing.push(seq);
    return missing;
  };
  expect(await lost(hub)).toEqual([]);
  await kill(child);

  const again = await start(folder);
  expect(await lost(again.hub)).toEqual([]);
  await again.hub.put(writer!, appendKey(acknowledged), large(acknowledged));
  await kill(again.child);
  rmSync(folder, { recursive: true });
});
