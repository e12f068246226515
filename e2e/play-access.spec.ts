// The boards and the offer as everybody must be able to use them: nothing serious for axe, and no scrolling sideways at
// 360 pixels, in both themes: of two who play, one has the light theme and one the dark.

import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { BoardPage } from "./pages/board.ts";
import { GamePage } from "./pages/games.ts";
import { guestOn, StartPage } from "./pages/start.ts";

test.use({ store: "access" });

async function expectUsable(page: Page, where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(
    serious.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, any }) => `${any[0]?.message} ${html}`).join(" ")}`,
    ),
    where,
  ).toEqual([]);
  const { width, wide } = await page.evaluate(() => ({
    width: document.documentElement.scrollWidth,
    wide: [...document.querySelectorAll("main *")]
      .filter((element) => element.getBoundingClientRect().right > 361)
      .filter((element) => element.closest('[role="region"][tabindex="0"], [class*="scroll"]') === null)
      .map((element) => element.outerHTML.slice(0, 120)),
  }));
  expect({ width, wide: wide.slice(0, 3) }, where).toEqual({ width: 360, wide: [] });
}

/** Both seats at a phone's size, the host in the light theme and the guest in the dark one. */
async function twoPhones(page: Page, newPage: () => Promise<Page>): Promise<[Page, Page]> {
  const friend = await newPage();
  for (const [one, colorScheme] of [
    [page, "light"],
    [friend, "dark"],
  ] as const) {
    await one.setViewportSize({ width: 360, height: 740 });
    await one.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  }
  return [page, friend];
}

interface Game {
  readonly name: string;
  readonly fill: (form: StartPage) => Promise<void>;
  /** A first move of the host. */
  readonly first: (mine: Page) => Promise<void>;
  /** The rest, to a verdict. */
  readonly rest: (mine: Page, theirs: Page) => Promise<void>;
}

const GAMES: readonly Game[] = [
  {
    name: "rock, paper, scissors",
    fill: (form) => form.game("Rock, paper, scissors"),
    first: (mine) => new BoardPage(mine).choose("Rock"),
    rest: (_mine, theirs) => new BoardPage(theirs).choose("Paper"),
  },
  {
    name: "an open vote",
    fill: async (form) => {
      await form.game("Vote");
      await form.fill("Options", `Tea\n${"W".repeat(60)}\nCoffee`);
    },
    first: (mine) => new GamePage(mine).vote("Tea"),
    rest: (_mine, theirs) => new GamePage(theirs).vote("Coffee"),
  },
  {
    name: "a secret vote",
    fill: async (form) => {
      await form.game("Vote");
      await form.choose("Ballot", /^Secret/);
    },
    first: (mine) => new GamePage(mine).seal("ballot", "Yes"),
    rest: (_mine, theirs) => new GamePage(theirs).seal("ballot", "Yes"),
  },
  {
    name: "an english auction",
    fill: async (form) => {
      await form.game("Auction");
      await form.choose("Way of bidding", /^English/);
      await form.fill("What is sold", `A lamp ${"M".repeat(80)}`);
    },
    first: (mine) => new GamePage(mine).bid("9".repeat(70)),
    rest: (_mine, theirs) => new GamePage(theirs).pass(),
  },
  {
    name: "a sealed auction",
    fill: async (form) => {
      await form.game("Auction");
      await form.choose("Way of bidding", /^Second price/);
    },
    first: (mine) => new GamePage(mine).seal("bid", "9".repeat(78)),
    rest: (_mine, theirs) => new GamePage(theirs).seal("bid", "7"),
  },
  {
    name: "a comparison",
    fill: (form) => form.game("Compare"),
    first: (mine) => new GamePage(mine).seal("value", "9".repeat(78)),
    rest: (_mine, theirs) => new GamePage(theirs).seal("value", "-5"),
  },
];

for (const { name, fill, first, rest } of GAMES)
  test(`${name}: the form, the offer, the board and the result`, async ({ page, newPage }) => {
    const [mine, theirs] = await twoPhones(page, newPage);
    const form = new StartPage(mine);
    await form.open();
    await fill(form);
    await expectUsable(mine, "the form");
    const link = await form.invite();
    await expectUsable(mine, "waiting for the other");

    await theirs.goto(link);
    await expect(theirs.getByRole("button", { name: "Join" })).toBeVisible();
    for (const colorScheme of ["light", "dark"] as const) {
      await theirs.emulateMedia({ colorScheme });
      await expect(theirs.locator("html")).toHaveAttribute("data-theme", colorScheme);
      await expectUsable(theirs, `the offer, ${colorScheme}`);
    }
    await guestOn(theirs).join(link);
    for (const one of [mine, theirs]) await one.waitForURL(/\/play\?as=0x/);
    for (const one of [mine, theirs])
      await expect(one.getByRole("heading", { level: 2 }).first()).toBeVisible();
    await first(mine);
    await expect(mine.locator("[data-stage], [data-follow], [data-live]").first()).toBeVisible();
    await expectUsable(mine, "the board after a move, light");
    await expectUsable(theirs, "the board to move, dark");
    await rest(mine, theirs);
    for (const one of [mine, theirs]) await expect(one.locator('[data-finality="final"]')).toBeVisible();
    await expectUsable(mine, "the result, light");
    await expectUsable(theirs, "the result, dark");
  });
