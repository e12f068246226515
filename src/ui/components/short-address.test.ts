import { expect, test } from "vitest";
import type { Address } from "../../core/values.ts";
import { markOf } from "./address-mark.tsx";
import { briefAddress, shortAddressText, shortenAddress } from "./short-address.ts";

const a: Address = "0xb6a116faba30e0faf2cb0f2b304abe690ba73f80";
const close: Address = "0xb6a116ffffffffffffffffffffffffffffa73f80"; // same first and last six
const closer: Address = "0xb6a116faffffffffffffffffffffffffff0ba73f".concat("80").slice(0, 42) as Address;

test("the first and last six digits, with the letter case of EIP-55", () => {
  expect(shortAddressText(a).toLowerCase()).toBe("0xb6a116…a73f80");
  const { head, middle, tail } = shortenAddress(a);
  expect((head + middle + tail).toLowerCase()).toBe(a);
});

test("more digits where another would look alike, on both sides", () => {
  const one = shortAddressText(a, [a, close]);
  const other = shortAddressText(close, [a, close]);
  expect(one.toLowerCase()).not.toBe(other.toLowerCase());
  expect(one.length).toBeGreaterThan(shortAddressText(a).length);
  expect(shortAddressText(a, [closer]).toLowerCase()).not.toBe(shortAddressText(closer, [a]).toLowerCase());
});

test("two that differ only in the middle are shown whole", () => {
  const twin = (a.slice(0, 21) + (a[21] === "0" ? "1" : "0") + a.slice(22)) as Address;
  expect(shortAddressText(a, [twin]).toLowerCase()).not.toBe(shortAddressText(twin, [a]).toLowerCase());
});

test("an address among itself and strangers stays short", () => {
  expect(shortAddressText(a, [a, `0x${"11".repeat(20)}`])).toBe(shortAddressText(a));
});

test("the first digits alone tell apart, too, what begins the same way", () => {
  expect(briefAddress(a).toLowerCase()).toBe("0xb6a116…");
  expect(briefAddress(a, [a, close]).toLowerCase()).toBe("0xb6a116…faba…");
  expect(briefAddress(close, [a, close]).toLowerCase()).toBe("0xb6a116…ffff…");
  expect(briefAddress(a, [a, close], 4).toLowerCase()).toBe("…16fa…");
  const last = (a.slice(0, 41) + "1") as Address;
  expect(briefAddress(a, [last]).toLowerCase()).toBe("0xb6a116…3f80");
});

test("marks are mirrored, steady, and differ for addresses that look alike", () => {
  const { cells } = markOf(a);
  for (let row = 0; row < 5; row++)
    for (let column = 0; column < 5; column++)
      expect(cells[row * 5 + column]).toBe(cells[row * 5 + 4 - column]);
  expect(markOf(a)).toEqual(markOf(a));
  expect(markOf(a).cells).not.toEqual(markOf(close).cells);
});
