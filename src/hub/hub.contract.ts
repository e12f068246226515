// What every Hub must do, whoever runs it.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fromUtf8, utf8 } from "../core/bytes.ts";
import type { Address } from "../core/values.ts";
import { localWallet } from "../wallet/wallet.local.ts";
import { HubError, type HubErrorCode } from "./hub-error.ts";
import type { Hub } from "./hub.ts";

export const alice = localWallet(`0x${"a1".repeat(32)}`);
export const bob = localWallet(`0x${"b2".repeat(32)}`);

export interface FreshHub {
  readonly hub: Hub;
  readonly close: () => Promise<void> | void;
}

export async function hubCode(work: Promise<unknown>): Promise<HubErrorCode | "no error"> {
  try {
    await work;
    return "no error";
  } catch (error) {
    if (error instanceof HubError) return error.code;
    throw error;
  }
}

/** Keys that have hit other resources elsewhere: each is stored and read back under exactly itself. */
export const AWKWARD_KEYS = [
  "a/b",
  "%2e%2e",
  "a#b",
  "a?b=1",
  "é",
  "/%ZZ",
  "content",
  "a/content",
  "a b+c",
  "%",
  "\u{1f3b2}",
];
export const REFUSED_KEYS = ["", ".", "..", "x".repeat(1025), "\ud800"];

export function hubContract(name: string, fresh: () => Promise<FreshHub>): void {
  describe(`hub: ${name}`, () => {
    let hub: Hub;
    let close: FreshHub["close"];
    beforeEach(async () => {
      ({ hub, close } = await fresh());
    });
    afterEach(() => close());

    const read = async (owner: Address, key: string) => {
      const value = await hub.get(owner, key);
      return value === null ? null : fromUtf8(value);
    };
    const put = (key: string, text: string, signer = alice) => hub.put(signer, key, utf8(text));

    test("answers, and has a name", async () => {
      await hub.ping();
      expect(hub.name).not.toBe("");
    });

    test("keeps bytes under owner and key", async () => {
      expect(await hub.get(alice.address, "k")).toBeNull();
      const bytes = Uint8Array.from([0, 255, 10, 13, 128]);
      const receipt = await hub.put(alice, "k", bytes);
      expect(receipt).toMatchObject({ key: "k", size: 5 });
      expect(Uint8Array.from((await hub.get(alice.address, "k"))!)).toEqual(bytes);
      expect(await hub.get(bob.address, "k")).toBeNull();
    });

    test("the last value wins", async () => {
      await put("k", "one");
      await put("k", "two");
      await put("k", "bob's", bob);
      expect(await read(alice.address, "k")).toBe("two");
      expect(await read(bob.address, "k")).toBe("bob's");
    });

    test.each(AWKWARD_KEYS)("keeps the key %j as it is", async (key) => {
      await put("b", "other");
      await put(key, `value of ${key}`);
      expect(await read(alice.address, key)).toBe(`value of ${key}`);
      expect(await read(alice.address, "b")).toBe("other");
    });

    test.each(REFUSED_KEYS)("refuses the key %j", async (key) => {
      expect(await hubCode(put(key, "value"))).toBe("bad-request");
    });

    test("refuses an empty value", async () => {
      expect(await hubCode(put("k", ""))).toBe("bad-request");
    });

    test("pages 0, 1, a page and a page and one record", async () => {
      const all: string[] = [];
      for (const [count, pages] of [
        [0, [0]],
        [1, [1, 0]],
        [8, [8, 0]],
        [9, [8, 1, 0]],
      ] as const) {
        while (all.length < count) {
          const text = `record ${all.length}`;
          await put(`log_${String(all.length).padStart(4, "0")}`, text);
          all.push(text);
        }
        const found: string[] = [];
        for (const size of pages) {
          const page = await hub.page(alice.address, "log", found.length, 8);
          expect(page.length).toBe(size);
          found.push(...page);
        }
        expect(found).toEqual(all);
      }
    });

    test("a page holds the owner's own conversation alone, in the order of writing", async () => {
      await put("a_2", "second");
      await put("a_1", "first");
      await put("a_x_1", "inner");
      await put("a", "no conversation");
      await put("b_1", "another");
      await put("a_1", "bob's", bob);
      expect(await hub.page(alice.address, "a", 0, 10)).toEqual(["second", "first", "inner"]);
      expect(await hub.page(alice.address, "a_x", 0, 10)).toEqual(["inner"]);
      expect(await hub.page(bob.address, "a", 0, 10)).toEqual(["bob's"]);
      expect(await hub.page(bob.address, "b", 0, 10)).toEqual([]);
    });

    test("a key written twice comes twice, with its last value", async () => {
      await put("a_1", "old");
      await put("a_2", "two");
      await put("a_1", "new");
      expect(await hub.page(alice.address, "a", 0, 10)).toEqual(["new", "two", "new"]);
      expect(await hub.page(alice.address, "a", 1, 1)).toEqual(["two"]);
    });

    test("what is no text is left out of a page", async () => {
      await put("a_1", "one");
      await hub.put(alice, "a_2", Uint8Array.from([0xff, 0xfe]));
      await put("a_3", "three");
      expect(await hub.page(alice.address, "a", 0, 10)).toEqual(["one", "three"]);
    });

    test("concurrent writes all arrive", async () => {
      const keys = Array.from({ length: 20 }, (_, i) => `a_${i}`);
      await Promise.all(keys.map((key) => put(key, key)));
      expect([...(await hub.page(alice.address, "a", 0, 50))].sort()).toEqual([...keys].sort());
    });

    test("a request given up says so", async () => {
      const signal = AbortSignal.abort();
      expect(await hubCode(hub.get(alice.address, "k", { signal }))).toBe("aborted");
      expect(await hubCode(hub.page(alice.address, "a", 0, 1, { signal }))).toBe("aborted");
    });
  });
}
