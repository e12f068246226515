// `coop mcp` as a process that a client starts: killed in mid-game it goes on after a restart with the same folder.

import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { startServer, type RunningServer } from "../server/server.ts";
import { callOf, playOut } from "../testing/mcp-players.ts";
import { runCommand } from "./cli.ts";

let folder: string;
let server: RunningServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "coop-mcp-"));
  server = await startServer({
    port: 0,
    dataDir: join(folder, "hub"),
    bot: () => null,
    log: () => undefined,
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

async function open(who: string) {
  const args = ["scripts/coop.mjs", "mcp", "--hub", `http://127.0.0.1:${server.port}`];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args, "--data", join(folder, who)],
    stderr: "ignore",
  });
  const client = new Client({ name: who, version: "1.0.0" });
  await client.connect(transport);
  return { client, pid: transport.pid!, call: callOf(client) };
}

test("killed in mid-game, it goes on after a restart; an audit by a third is Checked", async () => {
  const [host, guest] = await Promise.all([open("host"), open("guest")]);
  const created = await host.call("create_session", { game: "rps", rules: { best_of: 3 } });
  const joined = await guest.call("join_session", { invite: created.data["join_link"], seconds: 60 });
  const session = joined.data["session"] as string;
  await guest.call("wait_for_turn", { session, seconds: 60 });
  await guest.call("move", { move: { session, kind: "commit", value: "rock" } });
  const gone = new Promise<void>((done) => (guest.client.onclose = done));
  process.kill(guest.pid, "SIGKILL");
  await gone;
  const back = await open("guest");
  const ends = await Promise.all([
    playOut(host.client, session, () => ({ kind: "commit", value: "scissors" })),
    playOut(back.client, session, () => ({ kind: "commit", value: "rock" })),
  ]);
  expect(ends.map(({ data }) => data["status"])).toEqual(["final", "final"]);
  const auditor = await open("auditor");
  const audited = await auditor.call("audit", { target: session });
  expect(audited.data).toMatchObject({ light: "Checked", decided: true });
  expect((await stat(join(folder, "guest", "keys.json"))).mode & 0o077).toBe(0);
  const bundle = await host.call("export_bundle", { session });
  expect(await readFile(bundle.data["path"] as string, "utf8")).toContain("coop-bundle/1");
  await Promise.all([host, back, auditor].map(({ client }) => client.close()));
}, 180_000);

test("options that cannot be used are 3 and named", async () => {
  const runs = [
    ["--max-games", "0"],
    ["--max-entries", "x"],
    ["--port", "1"],
    ["--hub", "nothing"],
    ["extra"],
  ];
  for (const args of runs) {
    const said: string[] = [];
    const code = await runCommand(["mcp", ...args], {
      out: (text) => void said.push(text),
      note: (text) => void said.push(text),
      readStdin: async function* () {},
      onLine: () => () => undefined,
    });
    expect([args, code, said.length]).toEqual([args, 3, 1]);
  }
});
