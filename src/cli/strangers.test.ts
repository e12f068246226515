// What strangers may put before the command line: bytes of any kind, texts that a terminal obeys, logs that were erased.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeAuditLink } from "../core/audit-link.ts";
import { fromUtf8, utf8 } from "../core/bytes.ts";
import type { Address } from "../core/values.ts";
import { appendKey, mirrorKey } from "../hub/log-keys.ts";
import { MemoryHub } from "../hub/hub.memory.ts";
import { addressOf, Drawing, walletOf } from "../testing/build.ts";
import { runCommand } from "./cli.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "coop-strangers-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function coop(args: readonly string[], input: string | Uint8Array = "") {
  const said = { out: "", err: "" };
  const code = await runCommand(args, {
    out: (text) => void (said.out += `${text}\n`),
    note: (text) => void (said.err += `${text}\n`),
    readStdin: async function* () {
      yield typeof input === "string" ? utf8(input) : input;
    },
    onLine: () => () => undefined,
  });
  return { code, ...said };
}

function game(title?: string) {
  return new Drawing()
    .genesis("g", "a", "a b", title === undefined ? {} : { body: { title } })
    .commit("ca", "a", "rock")
    .commit("cb", "b", "paper", { sees: "ca" })
    .reveal("ra", "a", "rock", { sees: "cb" })
    .reveal("rb", "b", "paper", { sees: "ca" });
}

const bundleOf = (d: Drawing) =>
  [`{"format":"coop-bundle/1","session":"${d.node("g").ref}"}`, ...d.records(), ""].join("\n");

function utf16(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(`\ufeff${text}`, "utf16le"));
}

describe("one reader of bytes", () => {
  const d = game();
  const bundle = bundleOf(d);

  test.each([
    ["a byte order mark", utf8(`\ufeff${bundle}`)],
    ["CR LF", utf8(bundle.replaceAll("\n", "\r\n"))],
    ["UTF-16", utf16(bundle)],
    ["gzip", new Uint8Array(gzipSync(bundle))],
    ["the same bundle twice", utf8(bundle.trimEnd() + bundle)],
  ])("a bundle with %s is verified, from a file and from standard input", async (name, bytes) => {
    const path = join(folder, `${name}.coop.jsonl`);
    await writeFile(path, bytes);
    const [piped, read] = await Promise.all([coop(["audit", "-"], bytes), coop(["audit", path])]);
    expect([piped.code, read.code]).toEqual([0, 0]);
    expect(read.out).toContain("5 verified, 0 rejected");
  });

  test("an invalid byte is named with its line, and no author's signature is blamed", async () => {
    const bytes = utf8(bundle);
    bytes[bundle.indexOf('"paper"') + 2] = 0xff;
    const line = bundle.slice(0, bundle.indexOf('"paper"')).split("\n").length;
    const { code, err, out } = await coop(["audit", "-"], bytes);
    expect([code, out]).toEqual([3, ""]);
    expect(err).toContain(`Line ${line} is not valid UTF-8: the byte 0xff`);
  });

  test.each([
    ["a folder", null, /folder/],
    ["an empty file", new Uint8Array(), /empty/],
    ["a picture", Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]), /picture/],
    ["a report", utf8("<!doctype html>\n<html>"), /report.*bundle/],
  ])("%s is named, exit 3", async (name, bytes, why) => {
    const path = bytes === null ? folder : join(folder, name);
    if (bytes !== null) await writeFile(path, bytes);
    for (const args of [
      ["audit", path],
      ["audit", "--fork", path],
      ["inspect", path],
    ]) {
      const { code, err } = await coop(args);
      expect(code).toBe(3);
      expect(err).toMatch(why);
    }
  });

  test("bundles of two sessions after one another are named, both of them", async () => {
    const other = game("another");
    const { code, err } = await coop(["audit", "-"], bundle + bundleOf(other));
    expect(code).toBe(3);
    expect(err).toContain(d.node("g").ref);
    expect(err).toContain(other.node("g").ref);
  });

  test("an unsafe number is refused in the digits that came, 15,000 brackets are 3", async () => {
    const wire = d.wire("ca").replace('"body":{', '"body":{"n":9007199254740993,');
    expect((await coop(["inspect", "-"], wire)).out).toContain("found 9007199254740993");
    const deep = "[".repeat(15_000) + "]".repeat(15_000);
    expect((await coop(["audit", "--fork", "-"], deep)).code).toBe(3);
    expect((await coop(["audit", "-"], deep)).code).toBe(3);
    expect((await coop(["inspect", "-"], deep)).code).toBe(1);
  });
});

describe("one function for strangers' text", () => {
  const HOSTILE = "\u001b[2J\u0007\r\nverdict: A wins\u009b1A\u0085\u202e\u2028";
  const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

  function vote() {
    return new Drawing()
      .genesis("g", "a", "a b", {
        body: { game: "vote", rules: { options: [`x${HOSTILE}`, "y"] }, title: HOSTILE },
      })
      .add("va", "a", "vote", { choice: `x${HOSTILE}` })
      .add("vb", "b", "vote", { choice: `x${HOSTILE}` }, { sees: "va" });
  }

  test("options, titles and bodies neither move the cursor nor forge a line", async () => {
    const text = bundleOf(vote());
    const runs = await Promise.all([
      coop(["audit", "-"], text),
      coop(["audit", "-", "--json"], text),
      coop(["inspect", "-"], text),
      coop(["inspect", "-", "--json"], text),
    ]);
    for (const { out, err } of runs) {
      expect(out + err).not.toMatch(OBEYED);
      expect(out).not.toMatch(/^verdict: A wins/m);
    }
    expect(runs[0].out).toContain("[U+001B][2J");
    const { verdict } = JSON.parse(runs[1].out) as { verdict: { outcome: { choice: string } } };
    expect(verdict.outcome.choice).toBe(`x${HOSTILE}`);
  });

  test("the lines of a file that is no bundle, and a game of another name", async () => {
    const file = await coop(["audit", "-"], `${HOSTILE}\n`);
    expect(file.code).toBe(3);
    expect(file.err).not.toMatch(OBEYED);
    const d = new Drawing().genesis("g", "a", "a b", { body: { game: `g\u001b[1m\u202e` } });
    const run = await coop(["audit", "-"], bundleOf(d));
    expect(run.out + run.err).not.toMatch(OBEYED);
  });

  test("a Hub's error message", async () => {
    const server = createServer((_, answer) => {
      answer.writeHead(403, { "content-type": "application/json" });
      answer.end(JSON.stringify({ Type: "hub", Message: HOSTILE }));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { err, out } = await coop(["audit", game().node("g").ref, "--hub", url]);
    server.close();
    expect(out + err).not.toMatch(OBEYED);
  });
});

describe("records of other sessions", () => {
  test("a bad one that a player wrote later is shown, and does not decide the exit code", async () => {
    const d = game();
    const bad = new Drawing()
      .genesis("h", "b", "a b", { body: { title: "other" } })
      .wire("h")
      .replace('"seq":0', '"seq":7')
      .replace('"prev_hash":null', `"prev_hash":"0x${"ab".repeat(32)}"`);
    const { code, out } = await coop(["audit", "-"], `${bundleOf(d)}${bad}\n`);
    expect(out).toMatch(/rejected 0x[0-9a-f]{64} \(outside of this session\): wrong-signer/);
    expect(code).toBe(0);
    const { rejected } = JSON.parse((await coop(["audit", "-", "--json"], `${bundleOf(d)}${bad}\n`)).out) as {
      rejected: { outside: boolean }[];
    };
    expect(rejected).toMatchObject([{ outside: true }]);
  });

  test("one that names this session, lies within a segment, or names no place does", async () => {
    const d = game();
    const named = d.wire("rb").replace('"seq":1', '"seq":9').replace('"value":"paper"', '"value":"rock"');
    const within = d.wire("cb").replace(d.node("g").ref, `${addressOf("a")}:5:0x${"cd".repeat(32)}`);
    for (const record of [named, within, "junk"])
      expect((await coop(["audit", "-"], `${bundleOf(d)}${record}\n`)).code).toBe(1);
  });
});

describe("a host erases a session that it lost", () => {
  const d = game();
  const genesis = d.node("g");

  /** A Hub that holds the guest's log and its copies, and nothing of the host, or another genesis in its place. */
  async function serve(rewritten: boolean) {
    const hub = new MemoryHub();
    for (const { name, wallet, seq, wire } of d.nodes.values()) {
      if (wallet === addressOf("b")) await hub.put(walletOf("b"), appendKey(seq), utf8(wire));
      else await hub.put(walletOf("b"), mirrorKey(genesis.hash, wallet, seq), utf8(wire));
      if (rewritten && name === "g")
        await hub.put(walletOf("a"), appendKey(0), utf8(game("another title").wire("g")));
    }
    const server = createServer((request, answer) => void respond(hub, request.url ?? "", answer));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
  }

  async function respond(hub: MemoryHub, path: string, answer: import("node:http").ServerResponse) {
    const url = new URL(path, "http://hub");
    const owner = url.searchParams.get("owner") as Address;
    const [, , , id, , key] = url.pathname.split("/").map(decodeURIComponent);
    const say = (status: number, body: string) =>
      answer.writeHead(status, { "content-type": "application/json" }).end(body);
    if (url.pathname.startsWith("/v1/conversations/")) {
      const offset = Number(url.searchParams.get("offset") ?? "0");
      const messages = (await hub.page(owner, id!, offset, 1024)) as readonly (string | null)[];
      return say(200, JSON.stringify({ conversation: id, messages }));
    }
    const value = key === undefined ? null : await hub.get(owner, key);
    return value === null ? say(404, '{"Type":"NotFound","Message":"no"}') : say(200, fromUtf8(value)!);
  }

  test.each([false, true])(
    "it stays found by its link and by --witness (rewritten: %s)",
    async (rewritten) => {
      const { url, close } = await serve(rewritten);
      try {
        const bare = await coop(["audit", genesis.ref, "--hub", url]);
        expect(bare.code).toBe(2);
        expect(bare.err).toContain("--witness <address>");
        const witness = ["--witness", addressOf("c"), "--witness", addressOf("b")];
        const asked = await coop(["audit", genesis.ref, "--hub", url, ...witness]);
        expect(asked.out).toContain("finality: final");
        // Another genesis in the place of the old one is a fork, which fails a check, and loses for good.
        expect([asked.code, asked.out.includes("forks: failed")]).toEqual([rewritten ? 1 : 0, rewritten]);
        const link = writeAuditLink({
          session: genesis.ref,
          hubs: [url],
          witnesses: [addressOf("b")],
          state: new Map(),
        });
        if (!link.ok) throw new Error(link.code);
        expect((await coop(["audit", `https://app.example/${link.hash}`])).code).toBe(asked.code);
        const wrong = await coop(["audit", genesis.ref, "--hub", url, "--witness", "0x12"]);
        expect([wrong.code, wrong.err.includes("--witness")]).toEqual([3, true]);
      } finally {
        close();
      }
    },
  );
});
