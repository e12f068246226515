// What `coop audit`, `inspect` and `bundle` say to people: the result first, names, colours, the next step, and exit codes.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { checksumAddress } from "../core/values.ts";
import { utf8 } from "../core/bytes.ts";
import { addressOf, Drawing } from "../testing/build.ts";
import { runCommand } from "./cli.ts";
import { wantsColours } from "./console.ts";

interface Terminal {
  readonly isTerminal?: boolean;
  readonly hasColours?: boolean;
}

async function coop(args: readonly string[], input = "", terminal: Terminal = {}) {
  const said = { out: "", err: "" };
  const code = await runCommand(args, {
    ...terminal,
    out: (text) => void (said.out += `${text}\n`),
    note: (text) => void (said.err += `${text}\n`),
    readStdin: async function* () {
      yield utf8(input);
    },
    onLine: () => () => undefined,
  });
  return { code, ...said, lines: said.out.trimEnd().split("\n") };
}

const sample = (name: string) => readFile(`public/samples/${name}.coop.jsonl`, "utf8");

function game() {
  const d = new Drawing()
    .genesis("g", "a", "a b")
    .commit("ca", "a", "rock")
    .commit("cb", "b", "paper", { sees: "ca" })
    .reveal("ra", "a", "rock", { sees: "cb" })
    .reveal("rb", "b", "paper", { sees: "ca" });
  const head = `{"format":"coop-bundle/1","session":"${d.node("g").ref}"}`;
  return { d, bundle: (without = "") => [head, ...d.records(without), ""].join("\n") };
}

describe("audit says the result first", () => {
  test.each([
    ["rps-best-of-three", /^Player 1 wins\. Final\./, "Checked: every signature, link and rule."],
    ["tampered-byte", /^Open: waiting for Player 2\.$/, "Failed: 1 record is not what its author signed."],
    ["withheld-entry", /^Open: /, "Incomplete: entries of Player 2 are missing; the result could change."],
    ["fork", /^Player 1 wins: /, /^Failed: forks: expected one entry .* of Player 2\.$/],
    [
      "sealed-session",
      /^Private: only players and holders of the link can read the moves/,
      /^Incomplete: the session is sealed, .*could run\.$/,
    ],
  ])("the sample %s: result, trust light, and what to do next", async (name, result, light) => {
    const { lines } = await coop(["audit", "-"], await sample(name));
    expect(lines[0]).toMatch(result);
    expect(lines[1]).toMatch(light);
    expect(lines.at(-1)).toMatch(/^Next: .+/);
  });

  test("a wallet's 42 digits stand in the list of players alone", async () => {
    const { out } = await coop(["audit", "-"], await sample("withheld-entry"));
    const wallets = [addressOf("a"), addressOf("b")];
    const lines = out.split("\n").filter((line) => !/^(session|Next:) /.test(line));
    const found = lines.filter((line) => wallets.some((wallet) => line.toLowerCase().includes(wallet)));
    expect(found).toEqual(wallets.map((wallet, i) => `  Player ${i + 1} = ${checksumAddress(wallet)}`));
  });

  test("passed checks are a number, and --all lists as many", async () => {
    const { bundle } = game();
    const [short, all] = await Promise.all([
      coop(["audit", "-"], bundle()),
      coop(["audit", "-", "--all"], bundle()),
    ]);
    // Five entries, and genesis, participants, two logs, forks and shares; nothing pins a digest.
    expect(short.out).toContain("\n11 checks passed (--all lists them)\n");
    expect(short.out).not.toMatch(/: passed/);
    expect(all.lines.filter((line) => line.includes(": passed"))).toHaveLength(11);
    expect(all.out).toContain("\n11 checks passed\n");
  });

  test("a failed check is in full without --all", async () => {
    const { out } = await coop(["audit", "-"], await sample("fork"));
    expect(out).toContain("forks: failed at Player 2: expected one entry at each place of a log");
  });

  test("colours only on a terminal that wants them; texts stay the same", async () => {
    const { bundle } = game();
    const [plain, coloured] = await Promise.all([
      coop(["audit", "-"], bundle()),
      coop(["audit", "-"], bundle(), { isTerminal: true, hasColours: true }),
    ]);
    const escape = String.fromCharCode(27);
    expect(plain.out).not.toContain(escape);
    expect(coloured.out).toContain(`${escape}[32mChecked: every signature, link and rule.${escape}[0m`);
    expect(coloured.out.replaceAll(new RegExp(`${escape}\\[\\d+m`, "g"), "")).toBe(plain.out);
    expect([{}, { NO_COLOR: "" }, { NO_COLOR: "1" }, { TERM: "dumb" }].map(wantsColours)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("a stranger's escape sequences stay marks where there are colours", async () => {
    const d = new Drawing().genesis("g", "a", "a b", { body: { game: "g\u001b[1m" } });
    const text = [`{"format":"coop-bundle/1","session":"${d.node("g").ref}"}`, ...d.records(), ""].join("\n");
    const { out } = await coop(["audit", "-"], text, { isTerminal: true, hasColours: true });
    expect(out).toContain("game g[U+001B][1m");
  });

  test("an open session's next step names who is to move", async () => {
    const { bundle } = game();
    const { code, lines } = await coop(["audit", "-"], bundle("rb"));
    expect([code, lines[1]]).toEqual([2, "Checked: every signature, link and rule."]);
    expect(lines.at(-1)).toBe("Next: wait for Player 2 to move, then audit again.");
  });

  test("where the genesis is missing, the authors of the entries are named as witnesses", async () => {
    const { d, bundle } = game();
    const { code, err, lines } = await coop(["audit", "-"], bundle("g"));
    expect(code).toBe(2);
    const command = `coop audit ${d.node("g").ref} --witness ${checksumAddress(addressOf("a"))} --witness ${checksumAddress(addressOf("b"))}`;
    expect([err.includes(command), lines.at(-1)!.includes(command)]).toEqual([true, true]);
  });
});

describe("one rule for records of other sessions", () => {
  test("audit and inspect give the same exit code", async () => {
    const { bundle } = game();
    const bad = new Drawing()
      .genesis("h", "b", "a b", { body: { title: "other" } })
      .wire("h")
      .replace('"seq":0', '"seq":7')
      .replace('"prev_hash":null', `"prev_hash":"0x${"ab".repeat(32)}"`);
    const codes = async (record: string) => {
      const text = `${bundle()}${record}\n`;
      const runs = [coop(["audit", "-"], text), coop(["inspect", "-"], text)];
      return (await Promise.all(runs)).map(({ code }) => code);
    };
    expect(await codes(bad)).toEqual([0, 0]);
    expect(await codes("junk")).toEqual([1, 1]);
    const { out } = await coop(["inspect", "-"], `${bundle()}${bad}\n`);
    expect(out).toMatch(/rejected 0x\w+ \(outside of this session\): wrong-signer/);
  });
});

describe("inspect draws the graph", () => {
  test("one lane a player, with names, and ignored moves marked", async () => {
    const { out } = await coop(["inspect", "-"], await sample("early-reveal"));
    expect(out).toContain(`Player 1 = ${checksumAddress(addressOf("a"))}`);
    expect(out).toMatch(/^ {5}Player 1 +Player 2$/m);
    expect(out).toMatch(/^ +\d+ .*○ #\d+ reveal/m);
  });
});

describe("a bundle and a terminal", () => {
  test("a bundle's bytes never go to a terminal: 3, and what to do", async () => {
    const session = game().d.node("g").ref;
    const { code, out, err } = await coop(["bundle", session], "", { isTerminal: true });
    expect([code, out]).toEqual([3, ""]);
    expect(err).toContain("--out FILE");
  });
});

describe("an address that is not a Hub is 3 in every command", () => {
  const answers: readonly (readonly [string, (answer: ServerResponse) => void])[] = [
    ["404 with a page", (answer) => answer.writeHead(404, { "content-type": "text/html" }).end("<p>no")],
    ["a start page", (answer) => answer.writeHead(200, { "content-type": "text/html" }).end("<p>hi")],
    ["plain text", (answer) => answer.writeHead(200, { "content-type": "text/plain" }).end("hello")],
    ["a redirect", (answer) => answer.writeHead(302, { location: "https://x.test/" }).end()],
  ];

  test.each(answers)("%s", async (_, respond) => {
    const server = createServer((_request, answer) => respond(answer));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const session = game().d.node("g").ref;
    try {
      for (const args of [
        ["audit", session],
        ["audit", session, "--json"],
        ["inspect", session],
        ["bundle", session],
        ["play", session, "--relay", "none"],
        ["play", "--bot", "--relay", "none"],
      ]) {
        const { code, out, err } = await coop([...args, "--hub", url]);
        expect([args, code, out]).toEqual([args, 3, ""]);
        expect(err).toContain("not like a Hub");
      }
    } finally {
      server.close();
    }
  });

  test.each(["ftp://x.test", "http://me:pw@x.test", "http://x.test/?a=1", "nothing"])("%s", async (url) => {
    const session = game().d.node("g").ref;
    for (const name of ["audit", "inspect", "bundle", "play"])
      expect((await coop([name, session, "--hub", url])).code).toBe(3);
  });
});
