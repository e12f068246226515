// The installed WebKitGTK, driven by its own WebDriver on a display of its own.

import { spawn } from "node:child_process";
import { Builder, Capabilities } from "selenium-webdriver";
import type { Engine, EngineKind } from "./engine.ts";
import { findProgram, freePort, listening, startDisplay } from "./programs.ts";

const PATIENCE = 60_000;

async function start(): Promise<Engine> {
  const { display, stop } = await startDisplay();
  const port = await freePort();
  const driver = spawn("WebKitWebDriver", [`--port=${port}`], {
    stdio: "ignore",
    env: { ...process.env, DISPLAY: display, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" },
  });
  const end = () => {
    driver.kill();
    stop();
  };
  try {
    await listening(port, Date.now() + PATIENCE);
    const browser = await new Builder()
      .usingServer(`http://127.0.0.1:${port}`)
      .withCapabilities(new Capabilities({ browserName: "MiniBrowser" }))
      .build();
    await browser.manage().setTimeouts({ script: PATIENCE, pageLoad: PATIENCE });
    let first = true;
    return {
      async newTab() {
        // A window each: a tab behind another is hidden, and its timers are throttled.
        if (!first) await browser.switchTo().newWindow("window");
        first = false;
        const handle = await browser.getWindowHandle();
        return {
          async open(url) {
            await browser.switchTo().window(handle);
            await browser.get(url);
          },
          async run(body) {
            await browser.switchTo().window(handle);
            const script = `const done = arguments[0];
              (async () => { ${body} })().then((value) => done({ value }), (error) => done({ error: String(error) }));`;
            const answer = await browser.executeAsyncScript<{ value?: unknown; error?: string }>(script);
            if (answer.error !== undefined) throw new Error(answer.error);
            return answer.value;
          },
        };
      },
      async close() {
        await browser.quit().finally(end);
      },
    };
  } catch (error) {
    end();
    throw error;
  }
}

export const webkit: EngineKind = {
  name: "webkit",
  needs: "webkit2gtk-driver and xvfb",
  isInstalled: () => ["WebKitWebDriver", "Xvfb"].every((name) => findProgram([name]) !== undefined),
  start,
};
