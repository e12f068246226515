// A long session dropped on the app itself in headless Chromium, and how the page answers meanwhile and afterwards:
// `node --import tsx bench/graph/load.ts [entries…] [--before DIR] [--rounds N] [--profile] [--cpu] [--list]`, after
// `npm run build`. Default: 5500 (14,000 refs) and 100000; --before: another build of the app, by turns in the same run;
// --cpu: tasks by the thread's clock too; --list: a list of entries. CHROMIUM names another browser than /usr/bin/chromium.

import { chromium, type Browser, type Page } from "@playwright/test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../../e2e/fixtures.ts";
import { writeBundle } from "../../src/core/bundle.ts";
import { longSession } from "../../src/testing/long-session.ts";
import { longestByThread, longestFrames, longestTasks, startProfile } from "./profile.ts";
import { noteInputs, tour, type Visit } from "./tour.ts";

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
  /** From a key pressed to the frame that answers it, where that took 16 ms. */
  readonly keys: readonly number[];
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

/** With the profiler on, if asked: its summary stands before the figures. */
async function profiled<T>(page: Page, on: boolean, work: () => Promise<T>): Promise<T> {
  if (!on) return work();
  const stop = await startProfile(page);
  const done = await work();
  const profile = await stop();
  console.log(`${longestFrames(profile)}\n${longestTasks(profile, 12)}`);
  return done;
}

/** With tracing on, if asked: the main thread's longest tasks by its own clock, which a busy machine does not stretch. */
async function clocked<T>(page: Page, on: boolean, work: () => Promise<T>): Promise<T> {
  const browser = page.context().browser();
  if (!on || browser === null) return work();
  await browser.startTracing(page, { categories: ["toplevel"] });
  const done = await work();
  console.log(longestByThread((await browser.stopTracing()).toString()));
  return done;
}

/** The bundle's records as a JSON list. */
function listOf(bundle: string): string {
  return `[${bundle.trim().split("\n").slice(1).join(",")}]`;
}

async function main(): Promise<void> {
  const profile = process.argv.includes("--profile");
  const cpu = process.argv.includes("--cpu");
  const list = process.argv.includes("--list");
  const before = valueOf("--before");
  const rounds = Number(valueOf("--rounds") ?? 1);
  const given = process.argv
    .slice(2)
    .filter((_, i, args) => args[i - 1] !== "--rounds")
    .map(Number)
    .filter(Number.isFinite);
  const sizes = given.length > 0 ? given : [5_500, 100_000];
  const data = mkdtempSync(join(tmpdir(), "coop-bench-"));
  const server = await startServer(["--port", "0", "--data", join(data, "now")]);
  const other =
    before === undefined
      ? undefined
      : await startServer(["--port", "0", "--data", join(data, "before"), "--app", before]);
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: FLAGS,
  });
  try {
    for (const entries of sizes) {
      const text = list ? listOf(bundleOf(entries)) : bundleOf(entries);
      const measureAt = async (url: string, name: string): Promise<Measured> => {
        const page = await openPage(browser, url);
        const watched = <T>(work: () => Promise<T>) =>
          clocked(page, cpu, () => profiled(page, profile, work));
        const measured = await watched(() => measure(page, text));
        report(`${name}${entries}`, measured);
        if (other === undefined) reportTour(await watched(() => tour(page)));
        await page.close();
        return measured;
      };
      const ratios: { authenticated: number; verified: number }[] = [];
      for (let round = 0; round < rounds; round++) {
        const old = other && (await measureAt(other.url, "before: "));
        const now = await measureAt(server.url, "");
        if (old === undefined) continue;
        const { authenticated, verified } = now;
        ratios.push({
          authenticated: old.authenticated / authenticated,
          verified: old.verified / verified,
        });
      }
      reportRatios(entries, ratios);
    }
  } finally {
    await browser.close();
    await server.stop();
    await other?.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

function valueOf(option: string): string | undefined {
  const at = process.argv.indexOf(option);
  return at < 0 ? undefined : process.argv[at + 1];
}

async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(300_000);
  page.on("pageerror", (error) => console.error(error));
  // What tsx calls around named functions, inside the page too.
  await page.addInitScript({ content: "globalThis.__name = (named) => named;" });
  await noteInputs(page);
  await page.goto(url);
  await page.getByRole("search").first().waitFor();
  return page;
}

function reportRatios(entries: number, ratios: readonly { authenticated: number; verified: number }[]): void {
  if (ratios.length === 0) return;
  const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1]!;
  const [authenticated, verified] = [
    ratios.map((one) => one.authenticated),
    ratios.map((one) => one.verified),
  ];
  console.log(
    `${entries} entries, the median of ${ratios.length} rounds: authenticated ${median(authenticated).toFixed(2)} times ` +
      `sooner than before, verified ${median(verified).toFixed(2)} times`,
  );
}

/** Drops the file on the page, as a reader does, and types until it is verified. */
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
  let loaded = false;
  const typing = typeUntil(page, () => loaded);
  const measured = await page.evaluate(async (): Promise<Omit<Measured, "keys">> => {
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
    while (quiet < 20) {
      const now = (await frame()) - begin;
      if (authenticated === 0 && has('[data-testid="verdict"]')) authenticated = now;
      if (picture === 0 && has('[role="application"][data-nodes]')) picture = now;
      const done = has('[data-level="verified"]') && has('[data-testid="inspector"][data-working="false"]');
      if (verified === 0 && done) verified = now;
      quiet = verified > 0 && picture > 0 ? quiet + 1 : 0;
    }
    const settled = performance.now() - begin;
    ends = true;
    await beating;
    return {
      authenticated,
      verified,
      picture,
      settled,
      tasks,
      answers,
    };
  });
  loaded = true;
  await typing;
  rmSync(path);
  const keys = await page.evaluate(() => window.benchAnswers.map(({ name, length }) => ({ name, length })));
  return { ...measured, keys: keys.filter(({ name }) => name === "keydown").map(({ length }) => length) };
}

/** Keys of the tabs and of the graph, as far as they are there, four a second. */
async function typeUntil(page: Page, ended: () => boolean): Promise<void> {
  const keys = ["2", "1", "ArrowRight", "ArrowRight", "p", "c", "End", "x", "5", "3", "4", "1", "Home"];
  for (let i = 0; !ended(); i++) {
    await page.keyboard.press(keys[i % keys.length]!);
    await page.waitForTimeout(250);
  }
}

function report(name: string, measured: Measured): void {
  const { authenticated, verified, picture, settled, tasks, answers, keys } = measured;
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const sorted = [...answers].sort((a, b) => a - b);
  const after = tasks.filter(({ start }) => start > Math.max(verified, picture));
  const most = (list: readonly { readonly length: number }[]) => Math.max(0, ...list.map((t) => t.length));
  console.log(
    `${name} entries: authenticated verdict ${ms(authenticated)}, picture ${ms(picture)}, verified ${ms(verified)}, ` +
      `settled ${ms(settled)}; longest task ${ms(most(tasks))}, over 100 ms: ${tasks.filter((t) => t.length > 100).length}, ` +
      `after load: ${after.length === 0 ? "none over 50 ms" : ms(most(after))}; ` +
      `slowest timer ${ms(sorted.at(-1) ?? 0)}, 95th of 100 ${ms(sorted[Math.floor(sorted.length * 0.95)] ?? 0)}; ` +
      `slowest answer to a key ${ms(Math.max(0, ...keys))} of ${keys.length} over 16 ms`,
  );
  const long = tasks.filter(({ length }) => length > 100).map((t) => `${ms(t.length)} at ${ms(t.start)}`);
  if (long.length > 0) console.log(`  tasks over 100 ms: ${long.join(", ")}`);
}

function reportTour(visits: readonly Visit[]): void {
  const worst = visits.reduce((a, b) => (b.task > a.task ? b : a));
  const over = visits.filter(({ task }) => task > 100);
  console.log(
    `  afterwards, ${visits.length} actions: longest task ${worst.task.toFixed(0)} ms (${worst.name}), ` +
      `actions with a task over 100 ms: ${over.length}; longest task/slowest answer of each, in ms (0: none of 50):`,
  );
  for (const { name, task, answer } of visits)
    console.log(`    ${name.padEnd(28)}${task.toFixed(0).padStart(6)}${answer.toFixed(0).padStart(6)}`);
}

await main();
