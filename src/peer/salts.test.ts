// Salts: never shared, kept before anything rests on them, found again by what is public and the key, and carried by
// a backup into another store.

import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { sha256, type Hash, type Ref } from "../core/values.ts";
import { commitmentOf } from "../games/commit-reveal.ts";
import { localWallet } from "../wallet/wallet.local.ts";
import { derivedSalt, exportSalts, findSalt, importSalts, keepSalt, recoverSalt, saltOf } from "./salts.ts";
import { memoryStore } from "../platform/key-value-store.memory.ts";

const alice = localWallet(`0x${"a1".repeat(32)}`);
const bob = localWallet(`0x${"b2".repeat(32)}`);
const sessionOf = (n: number): Ref => `${alice.address}:${n}:${sha256(`session ${n}`)}`;
const session = sessionOf(0);
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const what = (value: string, round = 1) => ({ session, wallet: alice.address, round, value });

describe("derived salts", () => {
  test("differ in session, wallet, round and value; the same for the same", () => {
    const salts = new Set<Hash>();
    for (const wallet of [alice, bob])
      for (const n of [0, 1])
        for (const round of [1, 2])
          for (const value of ["rock", "paper"])
            for (let again = 0; again < 2; again++)
              salts.add(
                derivedSalt(wallet.deriveSecret, {
                  session: sessionOf(n),
                  wallet: wallet.address,
                  round,
                  value,
                }),
              );
    expect(salts.size).toBe(16);
  });

  test("any two different things have different salts, however their texts are cut", () => {
    const one = fc.record({ round: fc.integer({ min: 1, max: 3 }), value: fc.string({ maxLength: 6 }) });
    fc.assert(
      fc.property(one, one, (a, b) => {
        const salt = ({ round, value }: typeof a) => derivedSalt(alice.deriveSecret, what(value, round));
        expect(salt(a) === salt(b)).toBe(a.round === b.round && a.value === b.value);
      }),
      { numRuns: 50 },
    );
  });

  test("are kept like any other, and found again without a store by session and commitment", async () => {
    const store = memoryStore();
    const commitment = await keepSalt(store, random, what("rock"), alice.deriveSecret);
    const kept = await findSalt(store, session, commitment);
    expect(commitmentOf({ ...what("rock"), salt: kept!.salt })).toBe(commitment);
    const empty = memoryStore();
    const lost = { session, wallet: alice.address, round: 1, commitment };
    const values = ["paper", "rock"];
    expect(await recoverSalt(empty, bob.deriveSecret, lost, values)).toBeUndefined();
    expect(await recoverSalt(empty, alice.deriveSecret, { ...lost, round: 2 }, values)).toBeUndefined();
    expect(
      await recoverSalt(empty, alice.deriveSecret, { ...lost, session: sessionOf(1) }, values),
    ).toBeUndefined();
    expect(await recoverSalt(empty, alice.deriveSecret, lost, ["paper"])).toBeUndefined();
    expect(await recoverSalt(empty, alice.deriveSecret, lost, values)).toEqual(kept);
    expect(await findSalt(empty, session, commitment)).toEqual(kept);
  });

  test("a store that is full does not keep one from being found", async () => {
    const commitment = await keepSalt(memoryStore(), random, what("rock"), alice.deriveSecret);
    const full = { ...memoryStore(), put: () => Promise.reject(new Error("full")) };
    const found = await saltOf(full, alice, session, { commitment, round: 1 }, ["rock"]);
    expect(found?.value).toBe("rock");
  });
});

describe("drawn salts", () => {
  test("are drawn anew each time, and no key finds them again", async () => {
    const store = memoryStore();
    const [one, two] = await Promise.all([
      keepSalt(store, random, what("rock")),
      keepSalt(store, random, what("rock")),
    ]);
    expect(one).not.toBe(two);
    expect(
      await saltOf(memoryStore(), alice, session, { commitment: one, round: 1 }, ["rock"]),
    ).toBeUndefined();
  });

  test("no randomness, no salt", async () => {
    await expect(keepSalt(memoryStore(), () => new Uint8Array(8), what("rock"))).rejects.toMatchObject({
      code: "no-storage",
    });
  });
});

describe("a backup", () => {
  test("holds the wallet's own salts alone, and brings them into another store", async () => {
    const store = memoryStore();
    const mine = await keepSalt(store, random, what("rock"));
    const later = await keepSalt(store, random, what("paper", 2), alice.deriveSecret);
    await keepSalt(store, random, { ...what("rock"), wallet: bob.address });
    const salts = await exportSalts(store, alice.address);
    expect(salts).toHaveLength(2);
    const other = memoryStore();
    expect(await importSalts(other, alice.address, salts)).toBe(2);
    for (const commitment of [mine, later])
      expect(await findSalt(other, session, commitment)).toEqual(await findSalt(store, session, commitment));
    expect(await importSalts(other, alice.address, salts)).toBe(0);
  });

  test.each([
    null,
    7,
    {},
    [null, 7, {}, { session: "no" }],
    [{ session, salt: "0x", round: 1, value: "rock" }],
    [{ session, salt: `0x${"11".repeat(32)}`, round: "1", value: "rock" }],
  ])("what is none brings nothing in: %j", async (salts) => {
    const store = memoryStore();
    expect(await importSalts(store, alice.address, salts)).toBe(0);
    expect(await store.keys("")).toEqual([]);
  });

  test("cannot put a salt under a commitment that it does not open", async () => {
    const store = memoryStore();
    const commitment = await keepSalt(store, random, what("rock"));
    const before = await findSalt(store, session, commitment);
    const salts = [{ session, commitment, salt: `0x${"22".repeat(32)}`, round: 1, value: "paper" }];
    await importSalts(store, alice.address, salts);
    expect(await findSalt(store, session, commitment)).toEqual(before);
  });
});
