// Modules and outside programs as players: every game to its verdict, and what they must not do.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PeerEnvironment } from "../peer/environment.ts";
import { hostInvite } from "../invite/invite-host.ts";
import { joinInvite } from "../invite/invite-guest.ts";
import { openLog } from "../log/log-writer.ts";
import { playSeat, type SeatOptions } from "../bot/seat-player.ts";
import { randomStrategy } from "../bot/strategy.ts";
import { World } from "../testing/builders-world.ts";
import { localWallet } from "../wallet/wallet.local.ts";
import { readArguments } from "./arguments.ts";
import { safeConsole } from "./console.ts";
import { chooseStrategy, STRATEGY_VALUES } from "./choose-strategy.ts";
import { Program } from "./program.ts";
import { errorText } from "../platform/coded-error.ts";

const wallets = ["a1", "b2"].map((byte) => localWallet(`0x${byte.repeat(32)}`));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "coop-strategies-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A program of Node's whose `answer(question)` gives what it writes. */
async function program(name: string, answer: string): Promise<string> {
  const path = join(folder, `${name}.cjs`);
  const body = `const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => { const q = JSON.parse(line); const say = (x) => console.log(JSON.stringify({ id: q.id, ...x })); ${answer} });`;
  await writeFile(path, body);
  return `${JSON.stringify(process.execPath)} ${JSON.stringify(path)}`;
}

type Choice = Pick<SeatOptions, "strategy" | "answerMs" | "otherwise">;

/** Plays a game between a strategy and chance; what the strategy's seat said of errors, and the verdict. */
async function against(choice: Choice, game: string, rules: object) {
  const world = new World();
  const [mine, theirs] = [world.env(), world.env()] as [PeerEnvironment, PeerEnvironment];
  const [myLog, theirLog] = [openLog(mine, wallets[0]!), openLog(theirs, wallets[1]!)];
  const offer = { game, rules: { ...rules }, deadline: 41, default_outcome: { kind: "forfeit" } as const };
  const hosting = hostInvite(mine, myLog, offer, { players: 2, hostPlays: true });
  await soon(world, () => hosting.getSnapshot().stage === "open");
  const joining = joinInvite(theirs, theirLog, hosting.getSnapshot().invite!);
  await soon(world, () => joining.getSnapshot().stage === "offered");
  await joining.accept();
  await soon(world, () => hosting.getSnapshot().stage === "started");
  const session = hosting.getSnapshot().session!;
  const said: string[] = [];
  const seats = [
    playSeat(mine, {
      ...choice,
      session,
      log: myLog,
      onError: (error) => void said.push(errorText(error)),
    }),
    playSeat(theirs, { session, log: theirLog, strategy: randomStrategy(theirs.random) }),
  ];
  let decided = 0;
  for (const seat of seats)
    seat.decided.then(
      () => decided++,
      () => undefined,
    );
  return {
    world,
    said,
    seat: seats[0]!,
    verdict: async () => {
      await soon(world, () => decided === 2);
      const verdict = await seats[0]!.decided;
      seats.forEach((seat) => seat.close());
      return verdict;
    },
  };
}

/** Programs take real time: the clock of the world goes on while they think. */
async function soon(world: World, what: () => boolean): Promise<void> {
  while (!what()) {
    await world.settle();
    world.clock.advance(Math.min(world.clock.next ?? 20, 20));
  }
}

const GAMES: readonly (readonly [string, object])[] = [
  ["rps", { best_of: 3 }],
  ["vote", { options: ["a", "b"] }],
  ["vote", { options: ["a", "b"], ballot: "secret" }],
  ["auction", { kind: "second-price", reserve: "5" }],
  ["auction", { kind: "english" }],
  ["compare", { by: "closest", target: "40" }],
  ["compare", { by: "match" }],
];

describe("a module", () => {
  test.each(GAMES)("the documented one plays %s %j to its verdict", async (game, rules) => {
    const given = readArguments(
      ["--strategy", "src/examples/steady-strategy.ts"],
      { values: STRATEGY_VALUES },
      0,
    );
    const chosen = await chooseStrategy(given, new World().env().random, { ...QUIET });
    const { verdict, said } = await against({ strategy: chosen.strategy }, game, rules);
    expect(await verdict()).toMatchObject({ ok: true, status: "decided", flags: [] });
    expect(said).toEqual([]);
  });

  test.each([
    ["--strategy", "docs/none.ts"],
    ["--strategy", "src/cli/question.ts"],
    ["--strategy", "a.ts", "--program", "b"],
    ["--answer-within", "0"],
    ["--answer-within", "soon"],
    ["--otherwise", "give up"],
  ])("what cannot be used is named: %s %s", async (...args) => {
    const given = readArguments(args, { values: STRATEGY_VALUES }, 0);
    await expect(chooseStrategy(given, () => new Uint8Array(2), QUIET)).rejects.toThrow(args[0]);
  });
});

const QUIET = safeConsole({
  out: () => undefined,
  note: () => undefined,
  readStdin: async function* () {
    yield new Uint8Array();
  },
  onLine: () => () => undefined,
});

describe("an outside program", { timeout: 60_000 }, () => {
  test("the documented one, in Python, plays every game to its verdict", async () => {
    const python = new Program("python3 docs/agents/player.py", () => undefined);
    for (const [game, rules] of GAMES) {
      const { verdict, said } = await against({ strategy: python.strategy }, game, rules);
      expect(await verdict()).toMatchObject({ ok: true, status: "decided", flags: [] });
      expect(said).toEqual([]);
    }
    await python.close();
  });

  test("what cannot be played is refused with a reason, it is told so, and the game goes on", async () => {
    const answers = [
      { kind: "commit", value: "lizard" },
      { kind: "append", type: "genesis", body: {} },
      { kind: "append", type: "reveal", body: { value: "rock", salt: `0x${"00".repeat(32)}` } },
      { kind: "tick" },
    ];
    const command = await program(
      "refused",
      `const all = ${JSON.stringify(answers)}; globalThis.n ??= 0; globalThis.heard ??= [];
       heard.push(q.refused); if (n < all.length) say(all[n++]);
       else say({ kind: "commit", value: heard.filter((why) => why !== null).length === all.length ? "rock" : "nothing was told" });`,
    );
    const outside = new Program(command, () => undefined);
    const { verdict, said } = await against({ strategy: outside.strategy }, "rps", {});
    expect(await verdict()).toMatchObject({ ok: true, status: "decided", flags: [] });
    expect(said).toHaveLength(4);
    expect(said[0]).toContain("commit 1 is not played: value is none of this game's");
    expect(said[1]).toContain("type is something else");
    expect(said[3]).toContain('none of "commit"');
    await outside.close();
  });

  test("an invalid answer, an exit or an endless line is retried; a fallback may move", async () => {
    const commands = [
      await program("nonsense", `console.log("I would rather play chess");`),
      await program("ends", `process.exit(7);`),
      await program("endless", `process.stdout.write("x".repeat(100_000));`),
      "exit 3",
    ];
    const reasons = [/no JSON object/, /ended \(code 7\)/, /has no end/, /ended \(code 3\)/];
    for (const [i, command] of commands.entries()) {
      const outside = new Program(command, () => undefined);
      const otherwise = randomStrategy(new World().env().random);
      const { verdict, said } = await against({ strategy: outside.strategy, otherwise }, "rps", {});
      expect(await verdict()).toMatchObject({ ok: true, status: "decided" });
      expect(said).toHaveLength(3);
      expect(said[0]).toMatch(reasons[i]!);
      await outside.close();
    }
  });

  test("a strategy without an answer times out as set; a late answer changes nothing", async () => {
    const notes: string[] = [];
    const command = await program(
      "late",
      `globalThis.first ??= q.id; if (q.id !== first) { say({ kind: "commit", value: "rock" }); console.log(JSON.stringify({ id: first, kind: "commit", value: "paper" })); }`,
    );
    const outside = new Program(command, (text) => notes.push(text));
    const { verdict, said } = await against({ strategy: outside.strategy, answerMs: 5_000 }, "rps", {});
    expect(await verdict()).toMatchObject({ ok: true, status: "decided" });
    // The world's clock runs faster than the program's: it may be late more than once.
    expect(said[0]).toContain("no answer within 5 s");
    expect(notes[0]).toBe("the program answered a question that nobody waits for");
    await outside.close();
  });

  test("one that waits is asked again only when something has changed", async () => {
    let asked = 0;
    const { world, seat } = await against({ strategy: () => (asked++, null) }, "rps", {});
    for (let i = 0; i < 200; i++) {
      await world.settle();
      world.clock.advance(500);
    }
    const { view } = seat.peer.getSnapshot();
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(view?.ok === true ? view.entries.size + 1 : 0);
    seat.close();
  });
});
