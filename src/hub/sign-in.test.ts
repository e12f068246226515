import { describe, expect, test } from "vitest";
import { signedText } from "../core/entry.ts";
import { checkPlain } from "../core/signature.ts";
import { checksumAddress } from "../core/values.ts";
import { HubError } from "./hub-error.ts";
import { alice, hubCode } from "./hub.contract.ts";
import type { Signer } from "./hub.ts";
import {
  authorization,
  checkAuthorization,
  signInText,
  SignIns,
  type KeptSignIns,
  type SignInOptions,
} from "./sign-in.ts";

const NOW = Date.parse("2026-03-04T05:06:07.890Z");
const parts = {
  address: alice.address,
  domain: "hub.example:8080",
  uri: "https://hub.example:8080/base",
  nonce: "k3Jd8sPq2",
  issuedAt: NOW,
};

describe("the text (EIP-4361)", () => {
  test("has the checksummed address on a line of its own and Issued At", () => {
    expect(signInText(parts)).toBe(
      [
        "hub.example:8080 wants you to sign in with your Ethereum account:",
        checksumAddress(alice.address),
        "",
        "Write to this Hub as this account for the next ten minutes.",
        "",
        "URI: https://hub.example:8080/base",
        "Version: 1",
        "Chain ID: 1",
        "Nonce: k3Jd8sPq2",
        "Issued At: 2026-03-04T05:06:07Z",
      ].join("\n"),
    );
  });

  test.each([
    ["a scheme in the domain", { domain: "https://hub.example" }],
    ["a line break in the domain", { domain: "hub\nexample" }],
    ["no domain", { domain: "" }],
    ["a space in the URI", { uri: "https://hub.example/a b" }],
    ["a line break in the URI", { uri: "https://hub.example/\nNonce: x" }],
    ["a short nonce", { nonce: "abc" }],
    ["a nonce of other characters", { nonce: "abcdefgh-1" }],
    ["an address in mixed case", { address: checksumAddress(alice.address) as typeof alice.address }],
  ])("is not made with %s", (_what, change) => {
    expect(() => signInText({ ...parts, ...change })).toThrow(HubError);
  });
});

describe("an entry's signature and a sign-in's", () => {
  const entry = { wallet: alice.address, seq: 0, prev_hash: null, refs: [], type: "tick", body: {} } as const;

  test("an entry's is no sign-in", () => {
    const text = signedText(entry);
    const header = authorization(alice.address, NOW, alice.signTextNow(text), text);
    expect(checkAuthorization(header)).toEqual({ ok: false, why: "Msg is not a sign-in (EIP-4361)" });
  });

  test("a sign-in's is no entry", () => {
    const sig = alice.signTextNow(signInText(parts));
    const candidate = {
      ...entry,
      sig,
      wire: "",
      hash: `0x${"0".repeat(64)}`,
      ref: `${alice.address}:0:0x${"0".repeat(64)}`,
    } as const;
    expect(checkPlain(candidate).ok).toBe(false);
  });

  test("a text that only mentions the address on another line is refused", () => {
    const text = signInText(parts).replace(checksumAddress(alice.address), "nobody") + `\n${alice.address}`;
    const header = authorization(alice.address, NOW, alice.signTextNow(text), text);
    expect(checkAuthorization(header)).toMatchObject({ ok: false });
  });
});

class CountingSigner implements Signer {
  readonly address = alice.address;
  asked = 0;
  answer: "sign" | "refuse" = "sign";
  readonly #held: (() => void)[] = [];
  hold = false;

  async signText(text: string) {
    this.asked++;
    if (this.hold) await new Promise<void>((go) => this.#held.push(go));
    if (this.answer === "refuse") throw new Error("declined");
    return alice.signTextNow(text);
  }

  release(): void {
    for (const go of this.#held.splice(0)) go();
  }
}

describe("keeping sign-ins", () => {
  const fresh = () => {
    const clock = { now: NOW };
    let nonces = 0;
    const signIns = new SignIns({ ...parts, now: () => clock.now, nonce: () => `nonce${1000 + nonces++}` });
    return { clock, signIns, signer: new CountingSigner() };
  };

  test("one signature serves many writes, and concurrent ones share one that is pending", async () => {
    const { signIns, signer } = fresh();
    signer.hold = true;
    const three = [1, 2, 3].map(() => signIns.header(signer));
    signer.release();
    expect(new Set(await Promise.all(three)).size).toBe(1);
    await signIns.header(signer);
    expect(signer.asked).toBe(1);
  });

  test("it is renewed before it runs out", async () => {
    const { clock, signIns, signer } = fresh();
    const first = await signIns.header(signer);
    clock.now += 479_000;
    expect(await signIns.header(signer)).toBe(first);
    clock.now += 2_000;
    const second = await signIns.header(signer);
    expect(second).not.toBe(first);
    expect(checkAuthorization(second)).toMatchObject({ ok: true, address: alice.address });
    expect(signer.asked).toBe(2);
  });

  test("it is renewed when the clock was set back", async () => {
    const { clock, signIns, signer } = fresh();
    await signIns.header(signer);
    clock.now -= 3_600_000;
    await signIns.header(signer);
    expect(signer.asked).toBe(2);
  });

  test("a refusal is the caller's error, with its cause, and is not remembered", async () => {
    const { signIns, signer } = fresh();
    signer.answer = "refuse";
    expect(await hubCode(signIns.header(signer))).toBe("not-signed");
    await expect(signIns.header(signer)).rejects.toMatchObject({ cause: new Error("declined") });
    signer.answer = "sign";
    await signIns.header(signer);
    expect(signer.asked).toBe(3);
  });

  test("one that the Hub refuses is dropped; only a used one is worth replacing", async () => {
    const { clock, signIns, signer } = fresh();
    const first = await signIns.header(signer);
    expect(signIns.refuse(alice.address, first)).toBe(false);
    const second = await signIns.header(signer);
    clock.now += 100_000;
    expect(signIns.refuse(alice.address, second)).toBe(true);
    expect(signer.asked).toBe(2);
  });

  describe("over a reload", () => {
    const texts = new Map<string, string>();
    const kept: KeptSignIns = {
      get: (key) => texts.get(key) ?? null,
      set: (key, header) => void texts.set(key, header),
      remove: (key) => void texts.delete(key),
    };
    const page = (now: number, changed: Partial<SignInOptions> = {}) =>
      new SignIns({ ...parts, now: () => now, nonce: () => "nonce1000", kept, ...changed });

    test("within its validity nobody is asked again; afterwards once", async () => {
      texts.clear();
      const signer = new CountingSigner();
      const first = await page(NOW).header(signer);
      expect(await page(NOW + 400_000).header(signer)).toBe(first);
      expect(signer.asked).toBe(1);
      await page(NOW + 481_000).header(signer);
      expect(signer.asked).toBe(2);
    });

    test.each([
      ["another Hub", { uri: "https://other.example/" }],
      ["another host's page", { domain: "other.example" }],
    ])("not for %s", async (_, changed) => {
      texts.clear();
      const signer = new CountingSigner();
      await page(NOW).header(signer);
      const [[, header]] = [...texts] as [[string, string]];
      const everywhere = { ...kept, get: () => header };
      await page(NOW, { ...changed, kept: everywhere }).header(signer);
      expect(signer.asked).toBe(2);
    });

    test("what was tampered with, or refused by the Hub, is not used", async () => {
      texts.clear();
      const signer = new CountingSigner();
      const signIns = page(NOW);
      const header = await signIns.header(signer);
      const damaged = header.replace(/"Sign":"0x../, '"Sign":"0x00');
      await page(NOW, { kept: { ...kept, get: () => damaged } }).header(signer);
      expect(signer.asked).toBe(2);
      signIns.refuse(alice.address, header);
      expect(texts.size).toBe(0);
    });
  });
});
