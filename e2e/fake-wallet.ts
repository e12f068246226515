// The fake wallet extension for a test: bundled once, put into a page before it loads, and steered from outside.

import type { BrowserContext, Page } from "@playwright/test";
import { build } from "vite";
import type { FakeManner } from "../src/testing/fake-provider.ts";

let bundled: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      lib: { entry: "e2e/fake-wallet.page.ts", formats: ["iife"], name: "fakeWalletPage" },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (output === undefined || !("output" in output)) throw new Error("the fake wallet was not bundled");
  return output.output[0].code;
}

/** Every page of the context has the extension from now on. */
export async function installFakeWallet(context: BrowserContext): Promise<void> {
  bundled ??= bundle();
  await context.addInitScript({ content: await bundled });
}

/** The extension of a page, as its user handles it. */
export class FakeWallet {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The next requests are answered so, in order. */
  async next(...manners: FakeManner[]): Promise<void> {
    await this.page.evaluate((some) => void window.fakeWallet.next.push(...some), manners);
  }

  async answer(): Promise<void> {
    await this.page.evaluate(() => window.fakeWallet.answer());
  }

  async switchTo(account: number): Promise<void> {
    await this.page.evaluate((to) => window.fakeWallet.switchTo(to), account);
  }

  /** Texts that it was asked to sign since the page was loaded. */
  asked(): Promise<readonly string[]> {
    return this.page.evaluate(() => window.fakeWallet.asked);
  }

  accounts(): Promise<readonly string[]> {
    return this.page.evaluate(() => window.fakeWallet.accounts);
  }
}
