// The command line: exit codes, pipes, what goes where. As a process only where that is the point, since each costs a start.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeAuditLink } from "../core/audit-link.ts";
import { checksumAddress, parseRef, type Ref } from "../core/values.ts";
import { Drawing } from "../testing/build.ts";
import { runCommand } from "./cli.ts";

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "coop-cli-"));
});
afterAll(() => rm(folder, { recursive: true }));

function start(args: readonly string[]) {
  const child = spawn(process.execPath, ["scripts/coop.mjs", ...args], {
    env: { ...process.env, COOP_HUB: "" },
  });
  const said = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text));
  const ended = new Promise<Ended>((resolve) => child.on("close", (code) => resolve({ code, ...said })));
  const heard = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(said.out + said.err);
        if (found !== null) resolve(found[0]);
      };
      child.stdout.on("data", look);
      child.stderr.on("data", look);
      child.on("close", () => reject(new Error(`ended without ${pattern}: ${said.err}`)));
    });
  return { child, ended, heard };
}

/** The same command in this process. */
async function coop(args: readonly string[], input: string | Uint8Array = ""): Promise<Ended> {
  const said = { out: "", err: "" };
  const code = await runCommand(args, {
    out: (text) => void (said.out += `${text}\n`),
    note: (text) => void (said.err += `${text}\n`),
    readStdin: async function* () {
      yield typeof input === "string" ? new TextEncoder().encode(input) : input;
    },
    onLine: () => () => undefined,
  });
  return { code, ...said };
}

/** A decided game, an open one, and their bundles' texts. */
function games() {
  const d = new Drawing()
    .genesis("g", "a", "a b")
    .commit("ca", "a", "rock")
    .commit("cb", "b", "paper", { sees: "ca" })
    .reveal("ra", "a", "rock", { sees: "cb" })
    .reveal("rb", "b", "paper", { sees: "ca" });
  const head = `{"format":"coop-bundle/1","session":"${d.node("g").ref}"}`;
  const bundle = (without = "") => [head, ...d.records(without), ""].join("\n");
  return { d, bundle };
}

describe("audit", () => {
  const { d, bundle } = games();

  test("a decided bundle from a pipe is 0; the answer alone is on stdout", async () => {
    const { child, ended } = start(["audit", "-", "--json"]);
    child.stdin.end(bundle());
    const { code, out, err } = await ended;
    expect(code).toBe(0);
    const answer = JSON.parse(out) as { verdict: { outcome: unknown }; counts: unknown; exit: number };
    expect(answer).toMatchObject({ exit: 0, level: "verified", counts: { verified: 5, rejected: 0 } });
    expect(answer.verdict.outcome).toMatchObject({ kind: "win", by: "play" });
    expect(err).toContain("verified");
  });

  test("a changed byte is 1 and named; an open session is 2; an incomplete one too", async () => {
    const path = join(folder, "changed.coop.jsonl");
    await writeFile(path, bundle().replace('"value":"paper"', '"value":"pager"'));
    const [changed, open, incomplete] = await Promise.all([
      coop(["audit", path]),
      coop(["audit", "-"], bundle("rb")),
      coop(["audit", "-"], bundle("cb")),
    ]);
    expect(changed.code).toBe(1);
    expect(changed.out).toMatch(/rejected 0x[0-9a-f]{64}: wrong-signer at sig/);
    expect([open.code, incomplete.code]).toEqual([2, 2]);
    expect(incomplete.out).toMatch(
      /missing: The log of Player 2 has a hole at place 0: .* It could change the verdict: moves are still owed\./,
    );
  });

  test("reports whether what is missing could change the verdict, as text and JSON", async () => {
    const late = games();
    late.d.tick("t1", "b", { sees: "ra" }).tick("t2", "b");
    const text = late.bundle("t1");
    const [said, read] = await Promise.all([
      coop(["audit", "-"], text),
      coop(["audit", "-", "--json"], text),
    ]);
    expect(said.out).toContain("It could not change the verdict: the verdict is final.");
    const { missing } = JSON.parse(read.out) as { missing: unknown };
    expect(missing).toMatchObject([{ could_change: false, why: "final", wallets: [] }]);
  });

  test("unusable input is 3 and named exactly", async () => {
    const session = d.node("g").ref;
    const link = writeAuditLink({ session, hubs: ["http://127.0.0.1:9"], state: new Map() });
    if (!link.ok) throw new Error(link.code);
    const runs = await Promise.all(
      [
        ["audit", session.slice(0, -1)],
        ["audit", join(folder, "nothing")],
        ["audit", session.toUpperCase()],
        ["audit", `https://x.test/${link.hash.replace("c=", "c=0")}`],
        ["audit", "-", "--jsn"],
        ["audit"],
        ["vectors", join(folder, "nowhere")],
        ["play", "0x12"],
        ["play", "--lobby", "--relay", "none"],
        ["play", "--lobby", "--open"],
        ["play", "--lobby", "--private"],
        ["play", "--domain", "club"],
        ["play", "--players", "0"],
        ["fly"],
      ].map((args) => coop(args, "no bundle\n")),
    );
    expect(runs.map(({ code }) => code)).toEqual(runs.map(() => 3));
    expect(runs.map(({ out }) => out).join("")).toBe("");
    expect(runs[0]!.err).toContain("not a session id");
    expect(runs[1]!.err).toContain("ENOENT");
    expect(runs[2]!.err).toContain("not a session id");
    expect(runs[3]!.err).toContain("damaged");
    expect(runs[4]!.err).toContain("--jsn");
  });
});

describe("inspect and vectors", () => {
  const { d, bundle } = games();

  test("one record from a pipe: 0 where all checks pass, 1 where one fails", async () => {
    const wire = d.wire("ca");
    const [good, bad] = await Promise.all([
      coop(["inspect", "-"], `${wire}\n`),
      coop(["inspect", "-"], wire.replace('"seq":1', '"seq":2')),
    ]);
    expect([good.code, bad.code]).toEqual([0, 1]);
    expect(good.out).toContain(`bytes ${wire}`);
    expect(bad.out).toMatch(/signer: failed/);
  });

  test("--entry takes a printed address; a wrong checksum or half a ref is unusable", async () => {
    const { wallet, seq } = parseRef(d.node("ca").ref)!;
    const typed = checksumAddress(wallet);
    const other = typed.replace(/[a-f]/i, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()));
    const codes = await Promise.all(
      [`${typed}:${seq}`, `${wallet}:99`, `${other}:${seq}`, "0xzz", wallet, `${wallet}:01`].map(
        async (entry) => (await coop(["inspect", "-", "--entry", entry], bundle())).code,
      ),
    );
    expect(codes).toEqual([0, 2, 3, 3, 3, 3]);
  });

  test("a reader that has gone does not matter", async () => {
    const { child, ended } = start(["inspect", "-"]);
    child.stdout.destroy();
    child.stdin.end(bundle());
    expect((await ended).err).not.toContain("EPIPE");
  });

  test("that nobody reads the answer makes no success of a check that failed", async () => {
    const { child, ended } = start(["inspect", "-"]);
    child.stdout.destroy();
    child.stdin.end(d.wire("ca").replace('"seq":1', '"seq":2'));
    expect((await ended).code).toBe(1);
  });

  test("that nobody reads the progress makes no failure of a verdict", async () => {
    const { child, ended } = start(["audit", "-"]);
    child.stderr.destroy();
    child.stdin.end(bundle());
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(out).toContain("finality: final");
  });

  test("vectors: what has no canonical form is a mismatch like any other", async () => {
    const vectorsIn = await mkdtemp(join(folder, "odd-"));
    const odd = ["1.5", '"\\ud800"', '{"__proto__":1}', "[1e400]"].map(
      (error) => `{"wire":"{}","error":${error}}`,
    );
    await writeFile(join(vectorsIn, "odd.jsonl"), odd.join("\n"));
    const { code, out } = await coop(["vectors", vectorsIn]);
    expect([code, out.trim().split("\n").at(-1)]).toEqual([1, "0 passed, 4 failed"]);
    expect(out).toContain("odd.jsonl #1: at error: expected a value with no canonical form");
  });

  test("vectors: a sealed key that opens to another one, or that must not open, is a mismatch", async () => {
    const text = await readFile("public/vectors/ecies.json", "utf8");
    const vectorsIn = await mkdtemp(join(folder, "ecies-"));
    const write = (changed: string) => writeFile(join(vectorsIn, "ecies.json"), changed);
    await write(text);
    expect(await coop(["vectors", vectorsIn])).toMatchObject({ code: 0, out: "7 passed, 0 failed\n" });
    await write(text.replaceAll('"opens": true', '"opens": false'));
    const { code, out } = await coop(["vectors", vectorsIn]);
    expect(code).toBe(1);
    expect(out).toContain("at domain_key: expected nothing");
    expect(out).toContain("3 passed, 4 failed");
  });

  test("vectors: mismatches are named; an empty folder is a failure", async () => {
    const entry = (await readFile("public/vectors/entries.json", "utf8")).replace(
      /\n \},[\s\S]*$/,
      "\n }\n]",
    );
    const vectorsIn = await mkdtemp(join(folder, "vectors-"));
    const vectorFile = join(vectorsIn, "entries.json");
    await writeFile(vectorFile, entry);
    const good = await coop(["vectors", vectorsIn]);
    expect(good.out.trim()).toBe("1 passed, 0 failed");
    await writeFile(vectorFile, entry.replace(/"hash": "0x../, '"hash": "0x00'));
    const bad = await coop(["vectors", vectorsIn]);
    expect([good.code, bad.code]).toEqual([0, 1]);
    expect(bad.out).toMatch(/FAILED entries.json smallest entry: at hash: expected/);
    await rm(vectorFile);
    const empty = await coop(["vectors", vectorsIn]);
    expect([empty.code, empty.out.trim().split("\n").at(-1)]).toEqual([1, "0 passed, 0 failed"]);
  });
});

test("help is there for each command, by either way of asking", async () => {
  for (const name of [
    "serve",
    "backup",
    "restore",
    "migrate",
    "play",
    "audit",
    "inspect",
    "bundle",
    "mcp",
    "vectors",
  ]) {
    const [asked, flagged] = await Promise.all([coop(["help", name]), coop([name, "--help"])]);
    expect(asked).toEqual(flagged);
    expect([asked.code, asked.out.slice(0, 5 + name.length)]).toEqual([0, `coop ${name}`]);
  }
  expect((await coop(["help", "nothing"])).code).toBe(3);
});

describe("serve and play", () => {
  test("serve, play, audit and bundle work together, by bot, lobby, reply and address", async () => {
    const data = join(folder, "serve");
    const server = start(["serve", "--port", "0", "--no-app", "--data", data]);
    try {
      const url = await server.heard(/http:\/\/127\.0\.0\.1:\d+/);
      const config = (await (await fetch(`${url}/config.json`)).json()) as { bot: { address: string } };
      const agent = join(folder, "agent");
      const played = await coop(["play", config.bot.address, "--hub", url, "--data", agent, "--json"]);
      expect(played).toMatchObject({ code: 0 });
      const { session } = JSON.parse(played.out) as { session: Ref };
      expect(parseRef(session)).toBeDefined();
      const out = join(folder, "s.coop.jsonl");
      const [audited, bundled, taken] = await Promise.all([
        coop(["audit", session, "--hub", url]),
        coop(["bundle", session, "--hub", url, "--out", out]),
        coop(["serve", "--port", new URL(url).port, "--no-app", "--data", join(folder, "other")]),
      ]);
      expect([audited.code, bundled.code, taken.code]).toEqual([0, 0, 3]);
      expect(taken.err).toContain("is taken");
      expect((await coop(["audit", out])).code).toBe(0);
      // A private session: its key opens it, and without the key there is no verdict.
      const secret = ["--private", "--domain", "club", "--print-key"];
      const sealed = await coop(["play", config.bot.address, "--hub", url, "--data", agent, ...secret]);
      expect(sealed).toMatchObject({ code: 0 });
      const [id = "", , opened = ""] = sealed.out.trim().split("\n");
      const [withKey, without] = await Promise.all(
        [opened, id].map((of) => coop(["audit", of, "--hub", url])),
      );
      expect([withKey!.code, without!.code]).toEqual([0, 2]);
      expect(without!.out).toContain("Private: only players");
      // Two agents that know nothing of each other meet in the lobby; one of them is a program.
      const program = ["--program", "python3 docs/agents/player.py"];
      const rules = '{"kind":"second-price"}';
      const open = ["play", "--open", "--game", "auction", "--rules", rules, ...program];
      const met = await Promise.all(
        [open, ["play", "--lobby", "--game", "auction"]].map((args, i) =>
          coop([...args, "--hub", url, "--data", join(folder, `lobby-${i}`), "--json"]),
        ),
      );
      expect(met.map(({ code }) => code)).toEqual([0, 0]);
      expect(met[0]!.out).toContain('"kind":"sold"');
      expect(met[0]!.out).toBe(met[1]!.out);
      // Without a relay the host learns of a guest by its reply, a line of standard input.
      const alone = (who: string) => ["--hub", url, "--relay", "none", "--data", join(folder, who), "--json"];
      const host = start(["play", ...alone("host")]);
      const link = await host.heard(/http\S+#\/join\/\S+/);
      const guest = start(["play", link, ...alone("guest")]);
      host.child.stdin.write("nonsense\n");
      await host.heard(/"nonsense": no reply/);
      host.child.stdin.write(`${await guest.heard(/http\S+#\/play\?invite=\S+/)}\n`);
      const [hosted, joined] = await Promise.all([host.ended, guest.ended]);
      expect([hosted.code, joined.code]).toEqual([0, 0]);
      expect(hosted.out).toBe(joined.out);
      // Both call each other: they meet in one of the two invites.
      const addressOf = (said: Ended) => /wallet (0x[0-9a-fA-F]{40})/.exec(said.err)![1]!;
      const calls = await Promise.all([
        coop(["play", addressOf(joined), ...alone("host")]),
        coop(["play", addressOf(hosted), ...alone("guest")]),
      ]);
      expect(calls.map(({ code }) => code)).toEqual([0, 0]);
      expect(calls[0].out).toBe(calls[1].out);
    } finally {
      server.child.kill("SIGTERM");
    }
    expect((await server.ended).code).toBe(0);
  });
});
