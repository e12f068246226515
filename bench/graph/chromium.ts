// The causal graph in headless Chromium, by this project and by cytoscape with every element loaded, in one run:
// `node --import tsx bench/graph/chromium.ts [sizes…]`. CHROMIUM names another browser than /usr/bin/chromium.

import { chromium } from "@playwright/test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, preview } from "vite";
import type { Measured } from "./page.ts";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--enable-precise-memory-info",
  "--js-flags=--expose-gc",
];

async function main(): Promise<void> {
  const given = process.argv.slice(2).map(Number);
  const sizes = given.length > 0 ? given : [1_000, 10_000, 100_000];
  const outDir = await mkdtemp(join(tmpdir(), "bench-graph-"));
  const shared = { root: import.meta.dirname, configFile: false, logLevel: "warn" } as const;
  await build({
    ...shared,
    base: "./",
    build: { outDir, target: "es2022", rollupOptions: { input: join(import.meta.dirname, "page.html") } },
  });
  const server = await preview({ ...shared, build: { outDir }, preview: { host: "127.0.0.1", port: 0 } });
  const url = `${server.resolvedUrls!.local[0]!}page.html`;
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: FLAGS,
  });
  const results = new Map<string, Measured>();
  try {
    print(["entries", "who", "layout", "first", "settled", "pan", "zoom", "longest", ">100 ms", "heap"]);
    for (const size of sizes)
      for (const who of ["ours", "all"] as const) {
        const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
        page.on("pageerror", (error) => console.error(error));
        page.setDefaultTimeout(600_000);
        await page.goto(url);
        await page.waitForFunction(() => "measureGraph" in window);
        const measured = await page.evaluate(([w, n]) => window.measureGraph(w, n), [who, size] as const);
        results.set(`${who} ${size}`, measured);
        print(row(size, who, measured));
        await page.close();
      }
    compare(results, sizes);
  } finally {
    await browser.close();
    await server.close();
    await rm(outDir, { recursive: true, force: true });
  }
}

function row(size: number, who: string, m: Measured): string[] {
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  return [
    String(size),
    who === "ours" ? "windowed" : "all loaded",
    ms(m.layout),
    ms(m.first),
    ms(m.settled),
    `${m.panFps.toFixed(1)} fps`,
    `${m.zoomFps.toFixed(1)} fps`,
    ms(m.longest),
    String(m.over100),
    `${m.heapMb.toFixed(0)} MB`,
  ];
}

function print(cells: readonly string[]): void {
  console.log(cells.map((cell) => cell.padEnd(12)).join(""));
}

function compare(results: ReadonlyMap<string, Measured>, sizes: readonly number[]): void {
  for (const size of sizes) {
    const [ours, all] = [results.get(`ours ${size}`)!, results.get(`all ${size}`)!];
    console.log(`${size}: first picture ${(all.first / ours.first).toFixed(1)} times sooner than all loaded`);
  }
  const [small, large] = [results.get(`ours ${sizes[0]}`)!, results.get(`ours ${sizes.at(-1)}`)!];
  console.log(
    `panning at ${sizes.at(-1)} against ${sizes[0]}: ${(large.panFps / small.panFps).toFixed(2)} of the frames; ` +
      `tasks over 100 ms there: ${large.over100}`,
  );
}

await main();
