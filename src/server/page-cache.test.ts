import { expect, test } from "vitest";
import { PageCache } from "./page-cache.ts";

/** Asks for a page of that length; answers whether it had to be made. */
function asks(cache: PageCache) {
  return (name: string, version = "1", length = 10): boolean => {
    let made = false;
    cache.get(name, version, () => {
      made = true;
      return Buffer.alloc(length);
    });
    return made;
  };
}

test("a page is made once for each version", () => {
  const ask = asks(new PageCache(100));
  expect([ask("a"), ask("a"), ask("a", "2"), ask("a", "2"), ask("a", "1")]).toEqual([
    true,
    false,
    true,
    false,
    true,
  ]);
});

test("the longest unasked go first, and what is large is not kept", () => {
  const ask = asks(new PageCache(40));
  for (const name of ["a", "b", "c", "d"]) ask(name);
  expect(ask("a")).toBe(false);
  expect(ask("e")).toBe(true);
  expect([ask("a"), ask("b")]).toEqual([false, true]);
  expect([ask("large", "1", 11), ask("large", "1", 11)]).toEqual([true, true]);
});
