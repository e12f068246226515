// What every store must do. `reopen` opens the same one again, as after a restart; for a store in memory it gives
// the one there is.

import { beforeEach, describe, expect, test } from "vitest";
import type { Store } from "./key-value-store.ts";

const ODD_KEYS = ["a/b", "..", ".", "A", "a", "%2e", "salt/0x1:2", "é", "🎲", "x y", "a:b", "nul\u0000"];

export function storeContract(name: string, fresh: () => Promise<{ reopen: () => Promise<Store> }>): void {
  describe(`store: ${name}`, () => {
    let reopen: () => Promise<Store>;
    let store: Store;
    beforeEach(async () => {
      ({ reopen } = await fresh());
      store = await reopen();
    });

    test("what is put is read, also after a restart; what is not there is undefined", async () => {
      await store.put("k", "text 🎲");
      await store.put("k2", "");
      expect(await store.get("nothing")).toBeUndefined();
      const again = await reopen();
      expect(await again.get("k")).toBe("text 🎲");
      expect(await again.get("k2")).toBe("");
    });

    test("put overwrites, remove removes, removing nothing is nothing", async () => {
      await store.put("k", "one");
      await store.put("k", "two");
      expect(await store.get("k")).toBe("two");
      await store.remove("k");
      await store.remove("k");
      expect(await store.get("k")).toBeUndefined();
    });

    test("add takes a key once, whoever asks", async () => {
      const other = await reopen();
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? store : other).add("slot", `${i}`)),
      );
      expect(results.filter(Boolean)).toHaveLength(1);
      expect(await store.get("slot")).toBe(String(results.indexOf(true)));
      await store.remove("slot");
      expect(await other.add("slot", "again")).toBe(true);
    });

    test("every key is its own, odd ones too", async () => {
      for (const [i, key] of ODD_KEYS.entries()) await store.put(key, `value ${i}`);
      const again = await reopen();
      for (const [i, key] of ODD_KEYS.entries()) expect(await again.get(key)).toBe(`value ${i}`);
      expect(await again.keys("")).toEqual([...ODD_KEYS].sort());
    });

    test("keys by their beginning, in order", async () => {
      for (const key of ["b/2", "a/2", "a/10", "a/1", "ab", "a"]) await store.put(key, "x");
      expect(await store.keys("a/")).toEqual(["a/1", "a/10", "a/2"]);
      expect(await store.keys("zz")).toEqual([]);
    });

    test("large texts are kept whole", async () => {
      const text = "0123456789".repeat(20_000);
      await store.put("large", text);
      expect(await (await reopen()).get("large")).toBe(text);
    });
  });
}
