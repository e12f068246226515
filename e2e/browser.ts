// Which browser the tests drive: the one named by COOP_BROWSER, else an installed Chrome or Chromium, else none,
// which means Playwright's own.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "chrome"];

/** Where Chrome and Chromium usually are when they are not in PATH. */
const PLACES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ["/opt/google/chrome/chrome", "/snap/bin/chromium", "/usr/lib/chromium/chromium"],
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  win32: ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].flatMap((name) => {
    const folder = process.env[name];
    return folder === undefined ? [] : [join(folder, "Google", "Chrome", "Application", "chrome.exe")];
  }),
};

/** Path of the browser, or undefined for Playwright's own. @throws when COOP_BROWSER names no file */
export function findBrowser(): string | undefined {
  const named = process.env["COOP_BROWSER"];
  if (named !== undefined && named !== "") {
    if (!existsSync(named)) throw new Error(`COOP_BROWSER names no file: ${named}`);
    return named;
  }
  const suffix = process.platform === "win32" ? ".exe" : "";
  const inPath = (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name + suffix)));
  // In the order of the names, not of the folders.
  inPath.sort((a, b) => rank(a, suffix) - rank(b, suffix));
  return [...inPath, ...(PLACES[process.platform] ?? [])].find((path) => existsSync(path));
}

function rank(path: string, suffix: string): number {
  return NAMES.findIndex((name) => path.endsWith(join("/", name + suffix)));
}

/** Chromium without traffic of its own, and without its sandbox where it would refuse to start (root, containers). */
export function launchArgs(): string[] {
  const args = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
  ];
  return process.getuid?.() === 0 ? ["--no-sandbox", ...args] : args;
}
