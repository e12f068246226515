// Entries checked a second in headless Chromium, all contenders in one run:
// `node --import tsx bench/verify/chromium.ts [sizes…]`. CHROMIUM names another browser than /usr/bin/chromium.

import { chromium } from "@playwright/test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, preview } from "vite";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

async function main(): Promise<void> {
  const sizes = process.argv.slice(2).map(Number);
  const outDir = await mkdtemp(join(tmpdir(), "bench-verify-"));
  const shared = { root: import.meta.dirname, configFile: false, logLevel: "warn" } as const;
  await build({
    ...shared,
    base: "./",
    worker: { format: "es" },
    build: { outDir, target: "es2022", rollupOptions: { input: join(import.meta.dirname, "page.html") } },
  });
  const server = await preview({ ...shared, build: { outDir }, preview: { host: "127.0.0.1", port: 0 } });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: FLAGS,
  });
  try {
    const page = await browser.newPage();
    page.on("pageerror", (error) => console.error(error));
    await page.goto(new URL("page.html", server.resolvedUrls!.local[0]).href);
    for (const size of sizes.length > 0 ? sizes : [1000, 10_000, 100_000])
      console.log(
        await page.evaluate(({ n, r }) => window.bench(n, r), { n: size, r: size > 10_000 ? 1 : 3 }),
      );
  } finally {
    await browser.close();
    await server.close();
    await rm(outDir, { recursive: true });
  }
}

await main();
