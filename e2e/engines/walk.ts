// The walk: what must work in every engine, step by step in one profile.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { SampleEntry } from "../../src/testing/samples.ts";
import type { Engine, Tab } from "./engine.ts";
import { click, fill, giveFile, waitFor } from "./page.ts";

export interface Step {
  readonly title: string;
  readonly walk: (engine: Engine, url: string) => Promise<void>;
}

const PASSWORD = "correct horse battery";
const RESULT = `document.querySelector("[data-finality=final]")`;
const VERIFIED = `document.querySelector('[data-testid=verdict] [data-level="verified"]')`;

async function open(engine: Engine, url: string): Promise<Tab> {
  const tab = await engine.newTab();
  await tab.open(url);
  return tab;
}

/** Begins a game of one round against the bot; the board stands. */
async function begin(engine: Engine, url: string): Promise<Tab> {
  const tab = await open(engine, `${url}/#/play?bot=1`);
  await click(tab, "Play");
  await waitFor(tab, `named("button", "Rock") && location.hash.includes("/play?as=0x")`, "the board");
  return tab;
}

const hashOf = async (tab: Tab): Promise<string> => String(await tab.run("return location.hash;"));

export const STEPS: readonly Step[] = [
  {
    title: "home: the first page stands",
    walk: async (engine, url) => {
      const tab = await open(engine, `${url}/`);
      await waitFor(tab, `document.querySelector("h1")?.textContent`, "a heading");
      await waitFor(tab, `named("button", "Play now")`, "the way to a game");
    },
  },
  {
    title: "a sample opens from the first page and reaches its verdict, verified",
    walk: async (engine, url) => {
      const index = JSON.parse(readFileSync("public/samples/index.json", "utf8")) as readonly SampleEntry[];
      const sample = index[0]!;
      const tab = await open(engine, `${url}/`);
      await click(tab, sample.title, "a");
      await waitFor(tab, VERIFIED, "a verified verdict");
      await waitFor(
        tab,
        `document.querySelector('[data-testid=verdict] [data-finality="${sample.expect.finality}"]')`,
        "the verdict that the index promises",
      );
    },
  },
  {
    title: "a game against the bot is played to its end, and its audit link verifies",
    walk: async (engine, url) => {
      const tab = await begin(engine, url);
      const session = /#\/s\/([^/?]+)/.exec(await hashOf(tab))?.[1];
      await click(tab, "Rock");
      await waitFor(tab, RESULT, "a final verdict");
      await click(tab, "Check that the bot did not cheat", "a");
      await waitFor(tab, VERIFIED, "a verified verdict");
      assert.ok(session !== undefined && (await hashOf(tab)).includes(session));
    },
  },
  {
    title: "a key is backed up, removed and restored with its name",
    walk: async (engine, url) => {
      const tab = await open(engine, `${url}/#/settings`);
      await click(tab, "New throw-away key");
      const names = `[...document.querySelectorAll("button")].map((node) => node.getAttribute("aria-label") ?? node.textContent).filter((name) => /^Remove [A-Z]/.test(name))`;
      await waitFor(tab, `${names}.length > 0`, "a key");
      const name = String(await tab.run(`return ${names}.at(-1).replace("Remove ", "");`));
      // A download's file is out of the page's reach: its bytes are taken where they become one.
      await tab.run(`const make = URL.createObjectURL.bind(URL);
        URL.createObjectURL = (blob) => { blob.text().then((text) => { globalThis.saved = text; }); return make(blob); };`);
      await tab.run(`[...document.querySelectorAll("li")].find((row) => row.textContent.includes(${JSON.stringify(name)}))
        .querySelectorAll("button").forEach((node) => { if (node.textContent.trim() === "Back up") node.click(); });`);
      await fill(tab, "Password", PASSWORD);
      await fill(tab, "The password again", PASSWORD);
      await click(tab, "Download");
      const text = String(await waitFor(tab, "globalThis.saved", "the backup's bytes"));
      assert.equal((JSON.parse(text) as { version: number }).version, 3);
      await click(tab, `Remove ${name}`);
      await fill(tab, "Its name, to be sure", name);
      await click(tab, "Remove it");
      await waitFor(tab, `!named("button", ${JSON.stringify(`Remove ${name}`)})`, "the key gone");
      await giveFile(tab, "Backup file", text);
      await fill(tab, "Its password", PASSWORD);
      await click(tab, "Open");
      await waitFor(tab, `document.body.innerText.includes("The key is here")`, "the key restored");
    },
  },
  {
    title: "two tabs share a seat: storage and locks hold, both show the same verdict",
    walk: async (engine, url) => {
      const first = await begin(engine, url);
      const second = await open(engine, `${url}/${await hashOf(first)}`);
      await waitFor(second, `named("button", "Rock")`, "the board in the other tab");
      // The other tab's choice comes too late where the game is over by then.
      const paper = `(() => { const node = named("button", "Paper"); node?.click(); return node ?? ${RESULT}; })()`;
      await Promise.all([click(first, "Rock"), waitFor(second, paper, "a choice, or the end")]);
      const sentence = `${RESULT}?.querySelector("h1, h2, h3")?.textContent`;
      const seen = [
        await waitFor(first, sentence, "a verdict"),
        await waitFor(second, sentence, "a verdict"),
      ];
      assert.equal(seen[0], seen[1]);
    },
  },
];
