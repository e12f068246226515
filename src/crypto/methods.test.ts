// All methods give the same answers: plain @noble one by one, libsecp256k1 one by one, and both kinds of batch.

import { secp256k1 } from "@noble/curves/secp256k1.js";
import { readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { fromHex, toHex } from "../core/bytes.ts";
import { parseCandidate, type Candidate } from "../core/entry.ts";
import { addressOf, checkPlain, isSignatureForm } from "../core/signature.ts";
import type { SignatureHex } from "../core/values.ts";
import { seededRandom } from "../testing/random.ts";
import { nobleBatch } from "./batch-noble.ts";
import { wasmBatch } from "./batch-wasm.ts";
import { findSigners, Signer, type BatchCurve, type RandomBytes, type SignedDigest } from "./batch.ts";
import { createEngine, loadMethods, plainMethods, type Methods } from "../verify/engine.ts";
import { createInlineVerifier } from "../verify/verifier.inline.ts";
import { plainRecovery } from "./recovery.ts";
import { libsecpRecovery } from "../testing/libsecp-recovery.ts";
import { sampleEntries } from "../testing/signed-entries.ts";
import { breakSig } from "../verify/verifier.contract.ts";

const fast = await loadMethods();
const libsecp = await libsecpRecovery();
const methods: readonly [string, Methods][] = [
  ["the fastest", fast],
  ["plain JavaScript", plainMethods],
  ["libsecp256k1 one by one", { ...fast, recovery: libsecp, batch: undefined }],
  ["plain JavaScript one by one", { ...plainMethods, batch: undefined }],
  ["plain batches after hash-wasm", { ...fast, batch: nobleBatch }],
];
const curves: readonly BatchCurve[] = [await wasmBatch(), nobleBatch];
const random = plainMethods.random;

/** Which signatures are the key's, by a batch that starts from its key. */
function verifyBatch(
  curve: BatchCurve,
  signer: Uint8Array,
  signed: readonly SignedDigest[],
  draw: RandomBytes,
): boolean[] {
  const wallet = addressOf(signer.subarray(1));
  const found = findSigners(
    curve,
    new Signer(signer),
    wallet,
    signed,
    (one) => addressOf(one.subarray(1)),
    draw,
  );
  return found.map((address) => address === wallet);
}

function vectorCandidates(): Candidate[] {
  const json = (name: string): unknown => JSON.parse(readFileSync(`public/vectors/${name}`, "utf8"));
  const entries = json("entries.json") as { wire: string }[];
  const sessions = json("sessions.json") as { records: string[] }[];
  const wires = new Set(entries.map(({ wire }) => wire));
  for (const { records } of sessions) for (const wire of records) wires.add(wire);
  const lines = readFileSync("public/vectors/random.jsonl", "utf8").trim().split("\n");
  for (const line of lines.slice(0, 20))
    for (const wire of (JSON.parse(line) as { records: string[] }).records) wires.add(wire);
  return [...wires].map((wire) => parseCandidate(wire)).flatMap((one) => (one.ok ? [one.value] : []));
}

describe("vectors", () => {
  const candidates = vectorCandidates();
  const damaged = candidates.filter((_, i) => i % 40 === 0).map(breakSig);
  const all = [...candidates, ...damaged];
  const plain = all.map(checkPlain);
  test("they hold good signatures, bad ones and others' ones", () => {
    expect(candidates.length).toBeGreaterThan(500);
    const codes = new Set(plain.map((result) => (result.ok ? "ok" : result.code)));
    expect([...codes].sort()).toEqual(["bad-signature", "ok", "wrong-signer"]);
  });
  test.each(methods)("%s: the answers of the plain check", (_name, used) => {
    expect(createEngine(used).check(all)).toEqual(plain);
  });
});

/** Where no package carries Wycheproof's files: its kinds of case, drawn with a seed. */
const N = secp256k1.Point.Fn.ORDER;
const { P } = { P: secp256k1.Point.Fp.ORDER };
const hex = (value: bigint): string => value.toString(16).padStart(64, "0");
const sigOf = (r: bigint, s: bigint, v: number): SignatureHex => `0x${hex(r)}${hex(s)}${v.toString(16)}`;

const seeded = seededRandom(1977);
const bytes = (): Uint8Array => Uint8Array.from({ length: 32 }, () => Math.floor(seeded() * 256));
const secret = bytes();
const key = secp256k1.getPublicKey(secret, false);
const edges = [
  0n,
  1n,
  2n,
  3n,
  7n,
  N - 1n,
  N,
  N + 1n,
  (N - 1n) / 2n,
  (N + 1n) / 2n,
  P - N,
  P - 1n,
  P,
  2n ** 256n - 1n,
];
const digests = [
  ...[0n, 1n, N - 1n, N, N + 1n, 2n ** 256n - 1n, 2n ** 200n, 2n ** 239n + 5n].map((z) =>
    fromHex(`0x${hex(z)}`),
  ),
  bytes(),
];

function signDigest(digest: Uint8Array): SignedDigest {
  const out = secp256k1.sign(digest, secret, { prehash: false, format: "recovered" });
  return { digest, sig: `0x${toHex(out.subarray(1)).slice(2)}${(27 + out[0]!).toString(16)}` };
}

/** A signature by the key with a given nonce: what makes u1 or u2 special. */
function signWith(digest: Uint8Array, nonce: bigint): SignedDigest {
  const { Fn } = secp256k1.Point;
  const R = secp256k1.Point.BASE.multiply(nonce).toAffine();
  const r = R.x % N;
  const z = BigInt(toHex(digest)) % N;
  const s = Fn.mul(Fn.inv(nonce), Fn.create(z + r * BigInt(toHex(secret))));
  const odd = (R.y & 1n) === 1n;
  const low = s <= N / 2n;
  return { digest, sig: sigOf(r, low ? s : N - s, odd === low ? 28 : 27) };
}

describe("edge cases", () => {
  test("r and s at the edges with every v: both recoveries agree and never throw", () => {
    let points = 0;
    for (const r of edges)
      for (const s of edges)
        for (const v of [0, 1, 26, 27, 28, 29, 37])
          for (const digest of [digests[0]!, digests[8]!]) {
            const sig = sigOf(r, s, v);
            const inRange = r > 0n && r < N && s > 0n && s <= N / 2n && (v === 27 || v === 28);
            expect(isSignatureForm(sig)).toBe(inRange);
            if (!inRange) continue;
            const plain = plainRecovery.recover(digest, sig);
            const fastKey = libsecp.recover(digest, sig);
            expect(fastKey && toHex(fastKey)).toBe(plain && toHex(plain));
            for (const curve of curves) expect(recovered(curve, { digest, sig })).toBe(plain && toHex(plain));
            if (plain === undefined) continue;
            points++;
            for (const curve of curves) expectBatch(curve, plain, { digest, sig });
          }
    expect(points).toBeGreaterThan(20);
  });

  test("special digests (0, n, leading zeros) and nonces, low and high s, both v", () => {
    for (const digest of digests)
      for (const item of [
        signDigest(digest),
        ...[1n, 2n, 3n, N - 1n, N - 2n].map((k) => signWith(digest, k)),
      ]) {
        const known = libsecp.recover(digest, item.sig);
        expect(known && toHex(known)).toBe(toHex(key));
        expect(addressOf(plainRecovery.recover(digest, item.sig)!.subarray(1))).toBe(
          addressOf(key.subarray(1)),
        );
        for (const curve of curves) expect(recovered(curve, item)).toBe(toHex(key));
        for (const curve of curves) expectBatch(curve, key, item);
      }
  });

  test("a key at infinity is no key: s·R = z·G", () => {
    const nonce = 5n;
    const R = secp256k1.Point.BASE.multiply(nonce).toAffine();
    const s = 11n;
    const digest = fromHex(`0x${hex((s * nonce) % N)}`);
    const sig = sigOf(R.x % N, s, (R.y & 1n) === 1n ? 28 : 27);
    expect(libsecp.recover(digest, sig)).toBeUndefined();
    expect(plainRecovery.recover(digest, sig)).toBeUndefined();
    const good = [1, 2, 3, 4, 5].map((k) => signDigest(bytes().fill(k, 0, 1)));
    for (const curve of curves)
      expect(verifyBatch(curve, key, [...good, { digest, sig }], random)[5]).toBe(false);
  });
});

/** The key that a batch recovers where none is known. */
function recovered(curve: BatchCurve, item: SignedDigest): string | undefined {
  const signer = new Signer();
  let found: string | undefined;
  const note = (one: Uint8Array) => {
    found = toHex(one);
    return addressOf(one.subarray(1));
  };
  findSigners(curve, signer, addressOf(key.subarray(1)), [item], note, random);
  return found;
}

/** In a batch with good ones: itself good; with the other v, or another digest, not. */
function expectBatch(curve: BatchCurve, signer: Uint8Array, item: SignedDigest): void {
  const same = [item, item, item, item];
  expect(verifyBatch(curve, signer, same, random)).toEqual([true, true, true, true]);
  const other: SignatureHex = `0x${item.sig.slice(2, -1)}${item.sig.endsWith("b") ? "c" : "b"}`;
  const digest = item.digest.slice();
  digest[31]! ^= 2;
  for (const bad of [
    { ...item, sig: other },
    { ...item, digest },
  ])
    expect(verifyBatch(curve, signer, [bad, bad, bad, bad], random)).toEqual([false, false, false, false]);
}

describe.each(curves.map((curve) => [curve.name, curve] as const))("batches (%s)", (_name, curve) => {
  const good = Array.from({ length: 40 }, () => signDigest(bytes()));
  const bad = (item: SignedDigest): SignedDigest => {
    const digest = item.digest.slice();
    digest[Math.floor(seeded() * 32)]! ^= 1 + Math.floor(seeded() * 255);
    return { ...item, digest };
  };
  test.each([0, 1, 2, 7, 39, 40])(
    "with %i bad ones: no bad one passes, and sums vouch for the rest",
    (count) => {
      const places = new Set<number>();
      while (places.size < count) places.add(Math.floor(seeded() * 40));
      const batch = good.map((item, i) => (places.has(i) ? bad(item) : item));
      const found = verifyBatch(curve, key, batch, random);
      found.forEach((one, i) => expect(one && places.has(i)).toBe(false));
      if (count === 0) expect(found.every(Boolean)).toBe(true);
    },
  );

  test("errors that cancel in an unweighted sum are caught by the weights", () => {
    // z1 + e·s1 and z2 - e·s2 leave Σ u1 as it was.
    const { Fn } = secp256k1.Point;
    const shift = (item: SignedDigest, e: bigint): SignedDigest => {
      const s = BigInt(`0x${item.sig.slice(66, 130)}`);
      return { ...item, digest: fromHex(`0x${hex(Fn.create(BigInt(toHex(item.digest)) + e * s))}`) };
    };
    const batch = [shift(good[0]!, 99n), shift(good[1]!, -99n), ...good.slice(2, 8)];
    const ones: RandomBytes = (target) => {
      target.fill(0);
      for (let i = 0; i < target.length; i += 16) target[i] = 1;
    };
    expect(verifyBatch(curve, key, batch, ones).every(Boolean)).toBe(true); // so the case is real
    expect(verifyBatch(curve, key, batch, random).slice(0, 2)).toEqual([false, false]);
  });

  test("weights are fresh for every sum, and never zero", () => {
    const drawn: string[] = [];
    const spy: RandomBytes = (target) => {
      random(target);
      drawn.push(toHex(target.slice()));
    };
    verifyBatch(curve, key, [bad(good[0]!), ...good.slice(1)], spy);
    expect(drawn.length).toBeGreaterThan(2);
    expect(new Set(drawn).size).toBe(drawn.length);
    const zeros: RandomBytes = (target) => void target.fill(0);
    expect(verifyBatch(curve, key, [bad(good[0]!), ...good.slice(1, 4)], zeros)[0]).toBe(false);
  });

  test("an r that is no x coordinate, and a key of somebody else", () => {
    const noPoint: SignedDigest = { digest: good[0]!.digest, sig: sigOf(5n, 3n, 27) };
    expect(plainRecovery.recover(noPoint.digest, noPoint.sig)).toBeUndefined();
    expect(verifyBatch(curve, key, [noPoint, ...good.slice(0, 5)], random)).toEqual([
      false,
      ...good.slice(0, 5).map(() => true),
    ]);
    const other = secp256k1.getPublicKey(bytes(), false);
    expect(verifyBatch(curve, other, good, random).some(Boolean)).toBe(false);
  });
});

test("where WebAssembly is refused the answers come from JavaScript, the same ones", async () => {
  const entries = sampleEntries(20, 2);
  const wires = [...entries.map((entry) => entry.wire), breakSig(entries[3]!).wire];
  const usual = await createInlineVerifier().verify(wires, { level: "verified" });
  const refuse = () => Promise.reject(new Error("refused by the page's policy"));
  const compile = vi.spyOn(WebAssembly, "compile").mockImplementation(refuse);
  const instantiate = vi.spyOn(WebAssembly, "instantiate").mockImplementation(refuse);
  try {
    const refused = await loadMethods();
    expect(refused.recovery.name).toBe("noble");
    expect(refused.batch?.name).toBe("noble");
    const report = await createInlineVerifier({
      methods: { ...refused, hashing: plainMethods.hashing },
    }).verify(wires, {
      level: "verified",
    });
    expect(report.counts).toEqual(usual.counts);
    expect(report.states.map((one) => one.state)).toEqual(usual.states.map((one) => one.state));
  } finally {
    compile.mockRestore();
    instantiate.mockRestore();
  }
});
