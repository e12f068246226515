import { encode } from "uqr";
import { expect, test } from "vitest";
import { qrPath } from "./qr-path.ts";

const LINK = `https://example.org/app/#/s/0x${"a1".repeat(20)}:0:0x${"b2".repeat(32)}?hub=https%3A%2F%2Fexample.org`;

/** The modules that a path covers. */
function covered(path: string, size: number): boolean[][] {
  const rows = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    rows[Number(y)]!.fill(true, Number(x), Number(x) + Number(width));
  return rows;
}

test.each([["a"], [LINK], ["é \u{1F3B2}"]])("the path covers the dark modules and no other: %s", (text) => {
  const { size, path } = qrPath(text)!;
  expect(covered(path, size)).toEqual(encode(text, { ecc: "L", boostEcc: true, border: 4 }).data);
});

test("the quiet zone of four modules is light", () => {
  const { size, path } = qrPath(LINK)!;
  const rows = covered(path, size);
  for (let i = 0; i < size; i++)
    for (let k = 0; k < 4; k++)
      expect([rows[k]![i], rows[size - 1 - k]![i], rows[i]![k], rows[i]![size - 1 - k]]).toEqual([
        false,
        false,
        false,
        false,
      ]);
});

test("the longest link fits, and what does not fit is said not to", () => {
  expect(qrPath("x".repeat(2000))).toBeDefined();
  expect(qrPath("x".repeat(3000))).toBeUndefined();
});
