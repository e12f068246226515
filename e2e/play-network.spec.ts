// A game over a network that fails: the relay cut in the middle, the whole server killed and back, a Hub that refuses for
// a while, one that withholds an entry. The board says what is the case, shows no move as done that is not, and the game ends.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page, WebSocketRoute } from "@playwright/test";
import { expect, startServer, test } from "./fixtures.ts";
import { holdWrites, HUB, Traffic } from "./hub-traffic.ts";
import { BoardPage } from "./pages/board.ts";
import { GamePage } from "./pages/games.ts";
import { PlayPage } from "./pages/play.ts";
import { guestOn, StartPage } from "./pages/start.ts";

test.describe.configure({ timeout: 180_000 }); // waits for growing intervals, on a busy machine

/** The relay of a page, which can be cut and let through again. */
async function relayOf(page: Page): Promise<{ cut(): Promise<void>; mend(): void }> {
  const open = new Set<WebSocketRoute>();
  let down = false;
  await page.routeWebSocket(/\/relay$/, (socket) => {
    if (down) return void socket.close();
    socket.connectToServer();
    open.add(socket);
  });
  return {
    cut: async () => {
      down = true;
      await Promise.all([...open].map((socket) => socket.close()));
      open.clear();
    },
    mend: () => {
      down = false;
    },
  };
}

const state = (page: Page, word: "Live" | "Polling" | "Behind" | "Offline") =>
  expect(page.getByRole("status").filter({ hasText: new RegExp(`^${word}$`) })).toBeVisible({
    timeout: 60_000,
  });

/** The move on its way, as far as it is known to be. */
const track = (page: Page) => page.locator("[data-stage]").first();

async function twoAtRps(page: Page, friend: Page, bestOf: 1 | 3) {
  await page.goto("./#/play");
  const play = new PlayPage(page);
  await play.bestOf(bestOf);
  await guestOn(friend).join(await play.invite());
  const [mine, theirs] = [new BoardPage(page), new BoardPage(friend)];
  await Promise.all([mine.begun(), theirs.begun()]);
  return { mine, theirs };
}

test("the relay is cut in the middle of a game: it polls, the game goes on, and it is live again", async ({
  page,
  newPage,
}) => {
  const friend = await newPage();
  const relays = [await relayOf(page), await relayOf(friend)];
  const { mine, theirs } = await twoAtRps(page, friend, 3);
  for (const one of [page, friend]) await state(one, "Live");
  await mine.choose("Rock");
  await expect(theirs.round(1)).toContainText("Sealed");
  for (const relay of relays) await relay.cut();
  for (const one of [page, friend]) await state(one, "Polling");
  await theirs.choose("Rock");
  await expect(mine.round(1)).toContainText("Draw", { timeout: 60_000 });
  await mine.choose("Paper");
  await theirs.choose("Rock");
  await expect(theirs.round(2)).toContainText("wins", { timeout: 60_000 });
  for (const relay of relays) relay.mend();
  for (const one of [page, friend]) await state(one, "Live");
  await theirs.choose("Rock");
  await mine.choose("Paper");
  for (const board of [mine, theirs]) await board.decided();
  await expect(mine.result).toHaveAttribute("data-mood", "won");
});

test("the server is killed in the middle of a game and comes back: a move waits, and lands once", async ({
  newPage,
  problems,
}) => {
  const data = mkdtempSync(join(tmpdir(), "coop-e2e-killed-"));
  let server = await startServer(["--port", "0", "--data", data]);
  try {
    const port = new URL(server.url).port;
    problems.expect(new RegExp(`another host.*:${port}|ERR_|WebSocket connection`));
    const [page, friend] = [await newPage(), await newPage()];
    const traffic = new Traffic();
    for (const one of [page, friend]) traffic.watch(one.context());
    await page.goto(`${server.url}/#/play`);
    await guestOn(friend).join(await new PlayPage(page).invite());
    const [mine, theirs] = [new BoardPage(page), new BoardPage(friend)];
    await Promise.all([mine.begun(), theirs.begun()]);
    const held = await holdWrites(page);
    await mine.choose("Rock");
    await expect.poll(() => held.count()).toBe(1);
    await server.stop();
    held.release();
    await expect(track(page)).toHaveAttribute("data-stage", "stored");
    await state(page, "Offline");
    await expect(page.getByText("Your choice, sealed: not there yet")).toBeVisible({ timeout: 60_000 });
    await expect(track(page)).toHaveAttribute("data-stage", "stored");
    await expect(theirs.round(1)).not.toContainText("Sealed");
    server = await startServer(["--port", port, "--data", data]);
    await state(page, "Live");
    await expect(theirs.round(1)).toContainText("Sealed", { timeout: 60_000 });
    await theirs.choose("Paper");
    for (const board of [mine, theirs]) await board.decided();
    expect(traffic.entries("commit")).toHaveLength(2);
    expect(traffic.forks()).toEqual([]);
  } finally {
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  }
});

test("a Hub that answers 503 and 429: the page says offline, and the move lands later", async ({
  page,
  newPage,
  problems,
}) => {
  problems.expect(/status of (503|429)/);
  const friend = await newPage();
  const traffic = new Traffic();
  traffic.watch(page.context());
  const { mine, theirs } = await twoAtRps(page, friend, 1);
  let refused = 0;
  let refuses: "all" | "writes" | "nothing" = "all";
  await page.route(HUB, async (route) => {
    if (refuses === "nothing" || (refuses === "writes" && route.request().method() === "GET"))
      return route.continue();
    const busy = refused++ % 2 === 0;
    await route.fulfill(
      busy ? { status: 503 } : { status: 429, headers: { "retry-after": "1" }, body: "slow down" },
    );
  });
  // Where the log ends is not known, so nothing is signed.
  await mine.choose("Rock");
  await state(page, "Offline");
  await expect(page.getByText(/Nothing was signed; try again when the Hub answers/)).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.locator("[data-stage]")).toHaveCount(0);
  expect(traffic.entries("commit")).toEqual([]);
  // It reads again, and takes no writes: signed and kept, and not shown as done.
  refuses = "writes";
  await state(page, "Live");
  await mine.choose("Rock");
  await expect(page.getByText("Your choice, sealed: not there yet")).toBeVisible({ timeout: 60_000 });
  await expect(track(page)).toHaveAttribute("data-stage", "stored");
  await expect(mine.choice("Rock")).toBeDisabled();
  expect(refused).toBeGreaterThan(1);
  expect(refused).toBeLessThan(60);
  refuses = "nothing";
  await page.getByRole("button", { name: "Try again now" }).click();
  await state(page, "Live");
  await expect(theirs.round(1)).toContainText("Sealed", { timeout: 60_000 });
  await expect(page.getByText("not there yet")).toHaveCount(0);
  await theirs.choose("Scissors");
  for (const board of [mine, theirs]) await board.decided();
  expect(traffic.forks()).toEqual([]);
});

test("a Hub that withholds an entry: the page says behind, reveals nothing, then ends", async ({
  page,
  newPage,
  problems,
}) => {
  problems.expect(/status of 404/);
  const [second, third] = [await newPage(), await newPage()];
  const form = new StartPage(page);
  await form.open();
  await form.game("Compare");
  await form.fill("Seats", "3");
  const link = await form.invite();
  for (const one of [second, third]) await guestOn(one).join(link);
  const boards = [page, second, third].map((one) => new GamePage(one)) as [GamePage, GamePage, GamePage];
  for (const board of boards) await board.begun();
  const [mine, theirs, last] = boards;
  // What the second seals is kept from this page; the third has seen it, and says so by its refs.
  const wallet = /as=(0x[0-9a-f]+)/.exec(second.url())![1]!;
  let withholds = true;
  const isIt = (text: string) => text.includes(`"wallet":"${wallet}"`) && text.includes('"type":"commit"');
  await page.route(HUB, async (route) => {
    if (!withholds || route.request().method() !== "GET") return route.continue();
    const response = await route.fetch();
    const text = await response.text();
    if (route.request().url().includes("/conversations/") && response.ok()) {
      const { messages, ...rest } = JSON.parse(text) as { messages: string[] | null };
      const left = (messages ?? []).filter((each) => !isIt(each));
      return route.fulfill({ response, json: { ...rest, messages: left } });
    }
    return isIt(text)
      ? route.fulfill({ status: 404, json: { Type: "hub", Message: "no such object" } })
      : route.fulfill({ response });
  });
  await mine.seal("value", "3");
  await theirs.seal("value", "4");
  await expect(last.seats("sealed")).toHaveCount(2);
  await last.seal("value", "5");
  await state(page, "Behind");
  await expect(mine.seats("open")).toHaveCount(0);
  await expect(page.locator("[data-finality]")).toHaveCount(0);
  withholds = false;
  for (const { result } of boards)
    await expect(result).toHaveAttribute("data-finality", "final", { timeout: 90_000 });
  await state(page, "Live");
});
