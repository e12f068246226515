// The app as React's development build runs it in StrictMode, which mounts every component twice: whatever an effect
// begins, it also ends. No request is doubled, no subscription lost or kept twice, no move made twice.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page, Request } from "@playwright/test";
import { utf8 } from "../src/core/bytes.ts";
import { parseCandidate } from "../src/core/entry.ts";
import { systemHubEnvironment } from "../src/hub/hub-environment.ts";
import { HttpHub } from "../src/hub/hub.http.ts";
import { appendKey, LOG } from "../src/hub/log-keys.ts";
import { isAddress } from "../src/core/values.ts";
import { addressOf, Drawing, walletOf } from "../src/testing/build.ts";
import { expect, startServer, test } from "./fixtures.ts";
import { BoardPage } from "./pages/board.ts";
import { InspectorPage } from "./pages/inspector.ts";
import { PlayPage } from "./pages/play.ts";

test.use({ store: "strict" });

const folder = mkdtempSync(join(tmpdir(), "coop-strict-"));
let strict: Awaited<ReturnType<typeof startServer>>;

const drawing = new Drawing()
  .genesis("g", "a", "a b")
  .commit("ca", "a", "rock")
  .commit("cb", "b", "paper", { sees: "ca" })
  .reveal("ra", "a", "rock", { sees: "cb" })
  .reveal("rb", "b", "paper", { sees: "ra" });
const session = drawing.node("g").ref;

const clientOf = (url: string) => new HttpHub(url, systemHubEnvironment());

test.beforeAll(async ({ app }) => {
  const vite = join(dirname(createRequire(import.meta.url).resolve("vite/package.json")), "bin", "vite.js");
  const out = join(folder, "app");
  const built = spawnSync(process.execPath, [vite, "build", "--mode", "development", "--outDir", out], {
    env: { ...process.env, NODE_ENV: "development" },
    encoding: "utf8",
  });
  expect(built.status, built.stderr).toBe(0);
  strict = await startServer(["--port", "0", "--data", join(folder, "data"), "--app", out]);
  for (const url of [app.url, strict.url])
    for (const { wallet, seq, wire } of drawing.nodes.values())
      await clientOf(url).put(walletOf(wallet === addressOf("a") ? "a" : "b"), appendKey(seq), utf8(wire));
});

test.afterAll(async () => {
  await strict.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Listeners {
  /** Listeners on window and document that are there now, by type. */
  readonly now: Readonly<Record<string, number>>;
  /** How many were taken away again. */
  readonly removed: number;
}

/** Counts listeners, requests and sockets of a page from its beginning on. */
async function watch(page: Page) {
  await page.addInitScript(() => {
    const now: Record<string, number> = {};
    const counts = { now, removed: 0 };
    (window as unknown as { listenerCounts: unknown }).listenerCounts = counts;
    const seen = new Map<unknown, Set<string>>();
    const idOf = (target: unknown, type: string, options: unknown) =>
      `${target === window ? "window" : "document"} ${type} ${String(options === true || (typeof options === "object" && options !== null && "capture" in options && options.capture === true))}`;
    for (const target of [window, document] as EventTarget[]) {
      const [add, remove] = [target.addEventListener.bind(target), target.removeEventListener.bind(target)];
      target.addEventListener = (type: string, listener: EventListener | null, options?: unknown) => {
        const id = idOf(target, type, options);
        const held = seen.get(listener) ?? new Set<string>();
        if (!held.has(id)) now[id] = (now[id] ?? 0) + 1;
        seen.set(listener, held.add(id));
        add(type, listener, options as AddEventListenerOptions);
      };
      target.removeEventListener = (type: string, listener: EventListener | null, options?: unknown) => {
        const id = idOf(target, type, options);
        if (seen.get(listener)?.delete(id) === true) {
          now[id] = (now[id] ?? 0) - 1;
          counts.removed++;
        }
        remove(type, listener, options as EventListenerOptions);
      };
    }
  });
  const sockets: string[] = [];
  const topics = new Map<string, number>();
  page.on("websocket", (socket) => {
    sockets.push(new URL(socket.url()).pathname);
    socket.on("framesent", ({ payload }) => {
      const frame = JSON.parse(String(payload)) as { op: string; topics?: string[] };
      const step = { sub: 1, unsub: -1 }[frame.op] ?? 0;
      for (const topic of frame.topics ?? []) topics.set(topic, (topics.get(topic) ?? 0) + step);
    });
  });
  const ended: { what: string; from: number; to: number }[] = [];
  page.on("requestfinished", (request) => {
    const { startTime, responseEnd } = request.timing();
    ended.push({ what: nameOf(request), from: startTime, to: startTime + Math.max(responseEnd, 0) });
  });
  const stored: string[] = [];
  page.on("response", (response) => {
    if (response.ok() && response.request().method() === "PUT") stored.push(nameOf(response.request()));
  });
  return {
    sockets,
    /** Topics that the relay still tells of, and how often they were asked for. */
    topics: () => [...topics].filter(([, count]) => count !== 0),
    /** Requests that were answered while the same one was under way. */
    doubled: () =>
      ended.flatMap((one, i) =>
        ended
          .slice(i + 1)
          .some((other) => other.what === one.what && other.from < one.to && one.from < other.to)
          ? [one.what]
          : [],
      ),
    /** Entries that the Hub has taken, each time that it did. A first one is also refused, for want of a bucket. */
    puts: () => stored.filter((what) => what.includes("/coop1_")),
    listeners: (): Promise<Listeners> =>
      page.evaluate(() => (window as unknown as { listenerCounts: Listeners }).listenerCounts),
  };
}

function nameOf(request: Request): string {
  const { pathname, search } = new URL(request.url());
  return `${request.method()} ${pathname}${search}`;
}

/** Listeners of window and document that are there, without types of which none is left. */
const left = ({ now }: Listeners) =>
  Object.fromEntries(Object.entries(now).filter(([, count]) => count !== 0));

test("the inspector mounted twice asks, listens and draws as once", async ({
  app,
  page,
  newPage,
  problems,
}) => {
  problems.expect(/request to another host: (http|ws):\/\/127\.0\.0\.1/);
  const open = async (one: Page, url: string) => {
    const watched = await watch(one);
    await one.goto(`${url}/#/s/${session}`);
    const inspector = new InspectorPage(one);
    await inspector.verified();
    await expect.poll(() => watched.topics()).toEqual([[session, 1]]);
    await expect(inspector.graph).toHaveAttribute("data-nodes", "5");
    await inspector.graph.focus();
    await one.keyboard.press("End");
    await expect(inspector.panel).toHaveAttribute("data-entry", drawing.node("rb").ref);
    return watched;
  };
  const once = await open(page, app.url);
  const other = await newPage();
  const twice = await open(other, strict.url);
  // It really mounts twice: what was listened to was given up, and listened to again.
  expect((await twice.listeners()).removed).toBeGreaterThan((await once.listeners()).removed);
  expect(left(await twice.listeners())).toEqual(left(await once.listeners()));
  expect(twice.doubled()).toEqual([]);
  expect([twice.sockets, twice.topics()]).toEqual([["/relay"], [[session, 1]]]);
  expect([once.sockets, once.topics()]).toEqual([["/relay"], [[session, 1]]]);
  const canvases = (one: Page) => one.locator('[role="application"] canvas').count();
  expect(await canvases(other)).toBe(await canvases(page));
  // And it still hears: an entry that is announced now is shown.
  drawing.tick("t", "b", { sees: "ra" });
  const { seq, wire, ref } = drawing.node("t");
  await clientOf(strict.url).put(walletOf("b"), appendKey(seq), utf8(wire));
  await other.evaluate(
    ([topic, told]) => {
      const socket = new WebSocket(new URL("/relay", location.href.replace("http", "ws")));
      socket.onopen = () => socket.send(JSON.stringify({ op: "pub", topic, ref: told }));
    },
    [session, ref] as const,
  );
  await expect(new InspectorPage(other).graph).toHaveAttribute("data-nodes", "6");
});

test("a game against the bot, mounted twice: every entry of the game is written once", async ({
  page,
  problems,
}) => {
  problems.expect(/request to another host: (http|ws):\/\/127\.0\.0\.1/);
  const watched = await watch(page);
  await page.goto(`${strict.url}/#/play?bot=1`);
  await new PlayPage(page).start();
  const board = new BoardPage(page);
  await board.begun();
  await board.choose("Rock");
  await board.decided();
  await expect.poll(() => watched.puts().length).toBe(4);
  expect(new Set(watched.puts()).size).toBe(4);
  expect(watched.doubled()).toEqual([]);
  expect(watched.sockets).toEqual(["/relay"]);
  const seat = new URLSearchParams(page.url().split("?")[1]).get("as") ?? "";
  if (!isAddress(seat)) throw new Error(`no seat in ${page.url()}`);
  const log = await clientOf(strict.url).page(seat, LOG, 0, 100);
  const types = log.map((text) => {
    const entry = parseCandidate(text);
    return entry.ok ? `${entry.value.seq} ${entry.value.type}` : entry.error.code;
  });
  expect(types).toEqual(["0 invite", "1 genesis", "2 commit", "3 reveal"]);
});
