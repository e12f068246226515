// ECIES against the cases that another implementation has made, and against itself.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import { isPublicKey, openSealed, publicKeyOf, sealTo, type PublicKeyHex } from "./ecies.ts";
import type { SecretHex } from "./wallet.local.ts";

interface Case {
  readonly private_key: SecretHex;
  readonly public_key: PublicKeyHex;
  readonly domain_key: string;
  readonly sealed: string;
  readonly opens: boolean;
}

const cases = JSON.parse(readFileSync("public/vectors/ecies.json", "utf8")) as readonly Case[];
const good = cases[0]!;
const key = fromHex(good.domain_key);

test("X6: there are seven cases, three of which must not open", () =>
  expect(cases.map(({ opens }) => opens)).toEqual([true, true, true, true, false, false, false]));

describe("X6: cases made by eciespy", () => {
  test.each(cases.map((one, i) => [i, one] as const))("X6: case %i", (_i, one) => {
    const opened = openSealed(one.private_key, fromHex(one.sealed));
    expect(opened === undefined ? undefined : toHex(opened)).toBe(one.opens ? one.domain_key : undefined);
    expect(publicKeyOf(one.private_key)).toBe(one.public_key);
  });
});

test("X6: what is sealed to a public key opens with its secret, and with no other", () => {
  const sealed = sealTo(good.public_key, key);
  expect(sealed).toHaveLength(65 + 16 + 16 + 32);
  expect(sealed[0]).toBe(4);
  expect(openSealed(good.private_key, sealed)).toEqual(key);
  expect(openSealed(cases[1]!.private_key, sealed)).toBeUndefined();
  expect(toHex(sealTo(good.public_key, key))).not.toBe(toHex(sealed));
});

test("X6: a changed or missing byte of any part keeps it closed", () => {
  const sealed = sealTo(good.public_key, key);
  for (const at of [0, 1, 33, 64, 65, 80, 81, 96, 97, sealed.length - 1]) {
    const changed = Uint8Array.from(sealed);
    changed[at]! ^= 1;
    expect(openSealed(good.private_key, changed), `byte ${at}`).toBeUndefined();
  }
  for (const length of [0, 1, 64, 65, 96, sealed.length - 1])
    expect(openSealed(good.private_key, sealed.subarray(0, length)), `length ${length}`).toBeUndefined();
});

test("a reading key is a compressed point on the curve", () => {
  expect(isPublicKey(good.public_key)).toBe(true);
  for (const text of [
    undefined,
    7,
    "",
    good.public_key.slice(0, -2),
    good.public_key.toUpperCase().replace("0X", "0x"),
    `0x04${good.public_key.slice(4)}`,
    `0x02${"f".repeat(64)}`,
    `0x02${"0".repeat(63)}5`,
  ])
    expect(isPublicKey(text), String(text)).toBe(false);
  expect(() => sealTo(`0x02${"f".repeat(64)}`, key)).toThrow(RangeError);
});
