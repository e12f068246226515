import { expect, test } from "vitest";
import { PageCache } from "./page-cache.ts";

/** Asks for a page of that length; answers whether it had to be made. */
function asks(cache: PageCache) {
  return async (name: string, version = "1", length = 10): Promise<boolean> => {
    let made = false;
    await cache.get(name, version, () => {
      made = true;
      return Buffer.alloc(length);
    });
    return made;
  };
}

test("a page is made once for each version", async () => {
  const ask = asks(new PageCache(100));
  expect([
    await ask("a"),
    await ask("a"),
    await ask("a", "2"),
    await ask("a", "2"),
    await ask("a", "1"),
  ]).toEqual([true, false, true, false, true]);
});

test("the longest unasked go first, and what is large is not kept", async () => {
  const ask = asks(new PageCache(40));
  for (const name of ["a", "b", "c", "d"]) await ask(name);
  expect(await ask("a")).toBe(false);
  expect(await ask("e")).toBe(true);
  expect([await ask("a"), await ask("b")]).toEqual([false, true]);
  expect([await ask("large", "1", 11), await ask("large", "1", 11)]).toEqual([true, true]);
});
