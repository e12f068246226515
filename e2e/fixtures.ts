// What every browser test has: a server of its own worker, as `npm start` runs it, and a watch over the browser.
// A test fails on any console error (a 404 is one), uncaught exception, policy violation or request to another host, unless it
// said beforehand that it expects it.

import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect, type BrowserContext, type Page } from "@playwright/test";

/** A running server: Hub, relay and app at `url` (no slash at the end). */
export interface App {
  readonly url: string;
  /** Where it keeps its store. */
  readonly data: string;
}

/** What went wrong in the browser, and what the test says may. */
export interface Problems {
  /** Problems whose text matches are no failure. */
  expect(pattern: RegExp): void;
  /** Watches another context; `newContext` does it. */
  watch(context: BrowserContext): Promise<void>;
}

interface TestFixtures {
  problems: Problems;
  /** A fresh browser profile, watched and closed at the end: another person. */
  newContext: () => Promise<BrowserContext>;
  newPage: () => Promise<Page>;
}

export { expect };

interface WorkerFixtures {
  /** Files whose logs must not meet at one Hub give this a name of their own by `test.use`, and get a server of their own. */
  store: string;
  app: App;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  store: ["", { option: true, scope: "worker" }],
  app: [
    async ({ store }, use) => {
      const data = mkdtempSync(join(tmpdir(), `coop-e2e-${store}`));
      const { url, stop } = await startServer(["--port", "0", "--data", data]);
      try {
        await use({ url, data });
      } finally {
        await stop();
        rmSync(data, { recursive: true, force: true });
      }
    },
    { scope: "worker" },
  ],
  baseURL: async ({ app }, use) => use(`${app.url}/`),
  problems: [
    async ({ app, context }, use) => {
      const seen: string[] = [];
      const expected: RegExp[] = [];
      const watch = (each: BrowserContext) => watchContext(each, new URL(app.url).host, seen);
      await watch(context);
      await use({ expect: (pattern) => void expected.push(pattern), watch });
      const left = seen.filter((text) => !expected.some((pattern) => pattern.test(text)));
      expect(left, "nothing went wrong in the browser").toEqual([]);
    },
    { auto: true },
  ],
  newContext: async ({ browser, problems, baseURL }, use) => {
    const made: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
      made.push(context);
      await problems.watch(context);
      return context;
    });
    for (const context of made) await context.close();
  },
  newPage: async ({ newContext }, use) => use(async () => (await newContext()).newPage()),
});

/** Starts `coop serve` of this checkout, or of the one in `folder`; resolves with its URL once it has printed it. */
export async function startServer(
  args: readonly string[],
  folder?: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const program = folder === undefined ? ["--import", "tsx", "src/cli/main.ts"] : ["scripts/coop.mjs"];
  const child = spawn(process.execPath, [...program, "serve", ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = await firstUrl(child);
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

function firstUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const read = (chunk: Buffer) => {
      said += chunk.toString();
      const found = /https?:\/\/[^\s/"']+/.exec(said);
      if (found !== null) resolve(found[0]);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}:\n${said}`)));
  });
}

async function watchContext(context: BrowserContext, host: string, seen: string[]): Promise<void> {
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  context.on("console", (message) => {
    if (message.type() !== "error") return;
    const { url } = message.location();
    seen.push(`console error: ${message.text()} (${url})`);
  });
  context.on("weberror", (error) => seen.push(`uncaught: ${error.error().message}`));
  const foreign = (url: string) => {
    const { protocol, host: asked } = new URL(url);
    if (["http:", "https:", "ws:", "wss:"].includes(protocol) && asked !== host)
      seen.push(`request to another host: ${url}`);
  };
  context.on("request", (request) => foreign(request.url()));
  context.on("page", (page) => page.on("websocket", (socket) => foreign(socket.url())));
}
