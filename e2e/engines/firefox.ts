// The installed Firefox, driven by WebDriver BiDi.

import puppeteer from "puppeteer-core";
import { findProgram } from "./programs.ts";
import type { EngineKind } from "./engine.ts";

const find = () => findProgram(["firefox-esr", "firefox"]);

export const firefox: EngineKind = {
  name: "firefox",
  needs: "firefox-esr",
  isInstalled: () => find() !== undefined,
  async start() {
    const executablePath = find();
    if (executablePath === undefined) throw new Error("Firefox is not installed");
    const browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true });
    return {
      async newTab() {
        const page = await browser.newPage();
        return {
          open: async (url) => void (await page.goto(url)),
          run: (body) => page.evaluate(`(async () => { ${body} })()`),
        };
      },
      close: () => browser.close(),
    };
  },
};
