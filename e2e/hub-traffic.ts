// What pages send to the Hub: every entry that leaves a browser, so that a test can say that none was written twice
// in two ways; and holding writes back until the test lets them go.

import type { BrowserContext, Page, Request } from "@playwright/test";

export interface Sent {
  readonly wallet: string;
  readonly seq: number;
  readonly type: string;
  readonly wire: string;
}

/** The Hub's part of the server. */
export const HUB = /\/v1\//;

/** The entry that a request writes into its author's log, or undefined: copies of others' entries are none. */
export function entryIn(request: Request): Sent | undefined {
  if (request.method() !== "PUT" || !request.url().includes("/objects/coop1_")) return undefined;
  const wire = request.postData();
  if (wire === null) return undefined;
  const { wallet, seq, type } = JSON.parse(wire) as Sent;
  return { wallet, seq, type, wire };
}

/** All entries that the pages of some contexts write. */
export class Traffic {
  readonly sent: Sent[] = [];

  watch(context: BrowserContext): void {
    context.on("request", (request) => {
      const entry = entryIn(request);
      if (entry !== undefined) this.sent.push(entry);
    });
  }

  /** Different texts, of a type or of all. */
  entries(type?: string): readonly Sent[] {
    const texts = new Map(this.sent.map((entry) => [entry.wire, entry]));
    return [...texts.values()].filter((entry) => type === undefined || entry.type === type);
  }

  /** Places of a log at which two different texts were written: none, if nobody forked. */
  forks(): readonly string[] {
    const places = this.entries().map(({ wallet, seq }) => `${wallet} ${seq}`);
    return places.filter((place, i) => places.indexOf(place) !== i);
  }
}

/** Holds the entries that a page writes from now on; `count` tells how many wait, `release` lets all go on. */
export async function holdWrites(page: Page): Promise<{ count(): number; release(): void }> {
  const held: (() => void)[] = [];
  let released = false;
  await page.route(HUB, async (route) => {
    if (!released && entryIn(route.request()) !== undefined)
      await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  return {
    count: () => held.length,
    release: () => {
      released = true;
      for (const go of held) go();
    },
  };
}
