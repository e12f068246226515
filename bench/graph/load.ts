// A long session dropped on the app itself in headless Chromium, and how the page answers meanwhile:
// `node --import tsx bench/graph/load.ts [entries…] [--profile]`, after `npm run build`. Default: 5500 (14,000 refs) and
// 100000. CHROMIUM names another browser than /usr/bin/chromium. Sessions are kept in the system's temporary folder.

import { chromium, type Page } from "@playwright/test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../../e2e/fixtures.ts";
import { writeBundle } from "../../src/core/bundle.ts";
import { longSession } from "../../src/testing/long-session.ts";
import { longestFrames, longestTasks, startProfile } from "./profile.ts";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
];

/** Milliseconds from the drop, or lengths. */
interface Measured {
  readonly authenticated: number;
  readonly verified: number;
  readonly picture: number;
  readonly settled: number;
  readonly tasks: readonly { readonly start: number; readonly length: number }[];
  /** How late timers came. */
  readonly answers: readonly number[];
  /** From a click on a tab to the frame that shows it. */
  readonly clicks: readonly number[];
  /** Afterwards: long tasks and answers while all tabs are opened and the graph is walked. */
  readonly tour: readonly { readonly start: number; readonly length: number }[];
  readonly visits: readonly number[];
}

function bundleOf(entries: number): string {
  const refs = Math.round((entries * 14_000) / 5_500);
  const path = join(tmpdir(), `coop-bench-${entries}-${refs}.coop.jsonl`);
  if (!existsSync(path)) {
    const drawing = longSession({ seed: 1, entries, refs });
    writeFileSync(path, writeBundle(drawing.node("g").ref, drawing.records()));
  }
  return readFileSync(path, "utf8");
}

async function main(): Promise<void> {
  const profile = process.argv.includes("--profile");
  const given = process.argv.slice(2).map(Number).filter(Number.isFinite);
  const sizes = given.length > 0 ? given : [5_500, 100_000];
  const data = mkdtempSync(join(tmpdir(), "coop-bench-"));
  const { url, stop } = await startServer(["--port", "0", "--data", data]);
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: FLAGS,
  });
  try {
    for (const entries of sizes) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      page.setDefaultTimeout(300_000);
      page.on("pageerror", (error) => console.error(error));
      // What tsx calls around named functions, inside the page too.
      await page.addInitScript({ content: "globalThis.__name = (named) => named;" });
      await page.goto(url);
      await page.getByRole("search").first().waitFor();
      const stopProfile = profile ? await startProfile(page) : undefined;
      report(entries, await measure(page, bundleOf(entries)));
      if (stopProfile !== undefined) {
        const profile = await stopProfile();
        console.log(`${longestFrames(profile)}\n${longestTasks(profile)}`);
      }
      await page.close();
    }
  } finally {
    await browser.close();
    await stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/** Drops the bundle on the page, as a reader does, and clicks one tab after the other until it is verified. */
async function measure(page: Page, text: string): Promise<Measured> {
  // Through the file input first, since a text of many megabytes is slow to hand to the page: it becomes a File there.
  await page.evaluate(() => {
    const input = document.createElement("input");
    input.type = "file";
    input.id = "bench";
    document.body.append(input);
  });
  const path = join(tmpdir(), `coop-bench-drop-${process.pid}.coop.jsonl`);
  writeFileSync(path, text);
  await page.locator("#bench").setInputFiles(path);
  const measured = await page.evaluate(async (): Promise<Measured> => {
    const file = (document.querySelector("#bench") as HTMLInputElement).files![0]!;
    await file.slice(0, 1).arrayBuffer();
    const tasks: { start: number; length: number }[] = [];
    let begin = performance.now();
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        tasks.push({ start: startTime - begin, length: duration });
    }).observe({ type: "longtask" });
    const frame = () =>
      new Promise<number>((resolve) =>
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))),
      );
    const has = (selector: string) => document.querySelector(selector) !== null;
    const transfer = new DataTransfer();
    transfer.items.add(file);
    await frame();
    begin = performance.now();
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, cancelable: true, bubbles: true }));
    let authenticated = 0;
    let verified = 0;
    let picture = 0;
    let quiet = 0;
    const answers: number[] = [];
    let tab = 0;
    let lastClick = 0;
    let ends = false;
    // A timer that asks when it should have run, as a click would have.
    const beat = async () => {
      while (!ends) {
        const due = performance.now() + 20;
        await new Promise((resolve) => setTimeout(resolve, 20));
        answers.push(performance.now() - due);
      }
    };
    const beating = beat();
    const clicks: number[] = [];
    while (quiet < 20) {
      const now = (await frame()) - begin;
      if (authenticated === 0 && has('[data-testid="verdict"]')) authenticated = now;
      if (picture === 0 && has('[role="application"][data-nodes]')) picture = now;
      const done = has('[data-level="verified"]') && has('[data-testid="inspector"][data-working="false"]');
      if (verified === 0 && done) verified = now;
      quiet = verified > 0 && picture > 0 ? quiet + 1 : 0;
      const tabs = [...document.querySelectorAll<HTMLElement>('[data-testid="inspector"] [role="tab"]')];
      if (picture > 0 && verified === 0 && tabs.length > 1 && now - lastClick > 250) {
        lastClick = now;
        const clicked = performance.now();
        // Chains, Why and back to the graph.
        const at = tabs[[1, 0, 4, 0][tab++ % 4]!]!;
        at.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, button: 0 }));
        at.click();
        clicks.push((await frame()) - clicked);
      }
    }
    const settled = performance.now() - begin;
    ends = true;
    await beating;
    const loaded = tasks.length;
    // A tour of what is there then: every tab, and back to the picture, its last entry and the one before.
    const go = async (at: number) => {
      const tabs = [...document.querySelectorAll<HTMLElement>('[data-testid="inspector"] [role="tab"]')];
      const clicked = performance.now();
      tabs[at]!.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, button: 0 }));
      visits.push((await frame()) - clicked);
      await new Promise((resolve) => setTimeout(resolve, 300));
    };
    const visits: number[] = [];
    for (const at of [1, 2, 3, 4, 0]) await go(at);
    for (const key of ["End", "ArrowLeft", "p", "x", "Home"]) {
      const pressed = performance.now();
      document
        .querySelector('[role="application"]')!
        .dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      visits.push((await frame()) - pressed);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const tour = tasks.splice(loaded);
    return {
      authenticated,
      verified,
      picture,
      settled,
      tasks,
      answers,
      clicks,
      tour,
      visits,
    };
  });
  rmSync(path);
  return measured;
}

function report(
  entries: number,
  { authenticated, verified, picture, settled, tasks, answers, clicks, tour, visits }: Measured,
): void {
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const sorted = [...answers].sort((a, b) => a - b);
  const longest = Math.max(0, ...tasks.map(({ length }) => length));
  const after = tasks.filter(({ start }) => start > Math.max(verified, picture));
  console.log(
    `${entries} entries: authenticated verdict ${ms(authenticated)}, picture ${ms(picture)}, verified ${ms(verified)}, ` +
      `settled ${ms(settled)}; longest task ${ms(longest)}, over 100 ms: ${tasks.filter((t) => t.length > 100).length}, ` +
      `after load: ${after.length === 0 ? "none over 50 ms" : ms(Math.max(...after.map((t) => t.length)))}; ` +
      `slowest answer ${ms(sorted.at(-1) ?? 0)}, 95th of 100 ${ms(sorted[Math.floor(sorted.length * 0.95)] ?? 0)}; ` +
      `tab to frame ${clicks.map((c) => c.toFixed(0)).join(", ")} ms`,
  );
  console.log(
    `  afterwards, all tabs and keys: longest task ${ms(Math.max(0, ...tour.map((t) => t.length)))}, slowest answer ${ms(Math.max(...visits))}` +
      ` (${visits.map((v) => v.toFixed(0)).join(", ")})`,
  );
  const long = tasks.filter(({ length }) => length > 100).map((t) => `${ms(t.length)} at ${ms(t.start)}`);
  if (long.length > 0) console.log(`  tasks over 100 ms: ${long.join(", ")}`);
}

await main();
