// Browser tests: our own server and the built app in a real Chromium. No retries: a test that fails once has failed.

import { defineConfig } from "@playwright/test";
import { findBrowser, launchArgs } from "./e2e/browser.ts";

const executablePath = findBrowser();

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  globalSetup: "./e2e/global-setup.ts",
  // A server and a browser each; a file's tests stay in one worker, in order.
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  // Room for a busy machine; what must be quick is measured in bench/.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: "list",
  use: {
    headless: true,
    // Without an installed browser Playwright looks for its own.
    launchOptions: { args: launchArgs(), ...(executablePath !== undefined && { executablePath }) },
    trace: "off",
    screenshot: "only-on-failure",
  },
});
