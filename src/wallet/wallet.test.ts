// Local keys, the check of what a wallet answers, and the translation of foreign errors.

import { hkdfSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Wallet as EthersWallet, verifyMessage } from "ethers";
import { walletDouble, type Manner } from "../testing/wallet-double.ts";
import { checkedSignature, personalSignHex } from "./checked-signature.ts";
import { toWalletError, WalletError } from "./wallet-error.ts";
import { addressOfSecret, generateSecret, localWallet, type SecretHex } from "./wallet.local.ts";
import { walletContract } from "./wallet.contract.ts";

const SECRET: SecretHex = `0x${"11".repeat(32)}`;
const wallet = localWallet(SECRET);
const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "no error",
    (error: unknown) => (error instanceof WalletError ? error.code : String(error)),
  );

walletContract("local key", async () => localWallet(SECRET));
for (const manner of ["honest", "low-v", "upper-case"] satisfies Manner[])
  walletContract(`double, ${manner}`, async () => walletDouble(SECRET, manner));

describe("local key", () => {
  test("address and signature are those of an independent implementation", async () => {
    const other = new EthersWallet(SECRET);
    expect(wallet.address).toBe(other.address.toLowerCase());
    expect(await wallet.signText("héllo")).toBe(await other.signMessage("héllo"));
    expect(verifyMessage("0x1234", await wallet.signText("0x1234"))).toBe(other.address);
  });

  test("keys come from the given randomness, and what is no key is drawn again", () => {
    const draws = [new Uint8Array(32), new Uint8Array(32).fill(0xff), new Uint8Array(32).fill(0x11)];
    expect(generateSecret(() => draws.shift()!)).toBe(SECRET);
    expect(draws).toEqual([]);
  });

  test.each(["0x", "0x12", `0x${"00".repeat(32)}`, `0x${"ff".repeat(32)}`, `${"11".repeat(33)}`])(
    "refuses what is no key: %s",
    (secret) => {
      expect(() => localWallet(secret as SecretHex)).toThrow(RangeError);
      expect(() => addressOfSecret(secret as SecretHex)).toThrow(RangeError);
    },
  );

  test("secrets derived from a key: one for a purpose, HKDF-SHA-256", () => {
    const { deriveSecret } = wallet;
    const bytes = deriveSecret("a purpose");
    expect(deriveSecret("a purpose")).toEqual(bytes);
    expect(deriveSecret("another")).not.toEqual(bytes);
    expect(localWallet(`0x${"12".repeat(32)}`).deriveSecret("a purpose")).not.toEqual(bytes);
    const theirs = hkdfSync(
      "sha256",
      Buffer.from(SECRET.slice(2), "hex"),
      "Cooperation Protocol secret v1",
      "a purpose",
      32,
    );
    expect(Buffer.from(bytes)).toEqual(Buffer.from(theirs));
  });

  test("the key is not among the wallet's properties", () => {
    expect(JSON.stringify(wallet)).not.toContain("1111111111");
  });
});

describe("a wallet's answer", () => {
  test("texts are handed over as the hex of their UTF-8, hex-looking ones too", () => {
    expect(personalSignHex("0x12")).toBe("0x30783132");
    expect(personalSignHex("é")).toBe("0xc3a9");
  });

  const good = wallet.signTextNow("text");
  test.each([
    ["v 0x25", good.slice(0, 130) + "25"],
    ["v 0x26", good.slice(0, 130) + "26"],
    ["v 0xac", good.slice(0, 130) + "ac"],
    ["r zero", `0x${"0".repeat(64)}${good.slice(66)}`],
    ["s zero", `${good.slice(0, 66)}${"0".repeat(64)}${good.slice(130)}`],
    ["64 bytes", good.slice(0, 130)],
    ["66 bytes", `${good}00`],
    ["no hex", `0x${"zz".repeat(65)}`],
    ["null", null],
    ["a number", 7],
    ["an object", { signature: good }],
  ])("%s is a bad signature", (_, answer) => {
    expect(() => checkedSignature(wallet.address, "text", answer)).toThrow(
      expect.objectContaining({ code: "bad-signature" }),
    );
  });

  test("a signature over another text is one by another signer", () => {
    expect(() => checkedSignature(wallet.address, "other text", good)).toThrow(
      expect.objectContaining({ code: "wrong-signer" }),
    );
  });
});

describe("a wallet that misbehaves", () => {
  test.each([
    ["declines", "refused"],
    ["has-request-open", "pending-request"],
    ["signs-with-other", "wrong-signer"],
    ["answers-nonsense", "bad-signature"],
    ["disconnected", "disconnected"],
  ] satisfies [Manner, string][])("%s → %s", async (manner, code) => {
    expect(await codeOf(walletDouble(SECRET, manner).signText("text"))).toBe(code);
  });

  test("switched account: refused without asking, and told to listeners", async () => {
    const double = walletDouble(SECRET);
    const heard: boolean[] = [];
    double.onChange((usable) => heard.push(usable));
    double.switchAccount(true);
    expect(await codeOf(double.signText("text"))).toBe("switched-account");
    double.switchAccount(false);
    expect(await codeOf(double.signText("text"))).toBe("no error");
    expect(heard).toEqual([false, true]);
    expect(double.asked).toHaveLength(2);
  });

  test("a request that hangs is answered when the window is", async () => {
    const double = walletDouble(SECRET, "hangs");
    const signing = double.signText("text");
    double.answer();
    expect(await signing).toBe(wallet.signTextNow("text"));
  });
});

describe("foreign errors", () => {
  const selfCaused = new Error("round and round");
  selfCaused.cause = selfCaused;
  test.each([
    [{ code: 4001, message: "User rejected the request." }, "refused"],
    [{ code: "ACTION_REJECTED", message: "user rejected action" }, "refused"],
    [new Error("outer", { cause: new Error("mid", { cause: { code: 4001 } }) }), "refused"],
    [{ code: -32603, message: "MetaMask Message Signature: User denied message signature." }, "refused"],
    [{ message: "x", info: { error: { code: 4001 } } }, "refused"],
    [{ code: -32603, data: { originalError: { code: 4001 } } }, "refused"],
    ["User cancelled", "refused"],
    [{ code: -32002, message: "Request of type 'personal_sign' already pending" }, "pending-request"],
    [{ code: 4100, message: "unauthorized" }, "disconnected"],
    [{ code: 4900 }, "disconnected"],
    [{ code: -32603, message: "Internal error" }, "failed"],
    [undefined, "failed"],
    [null, "failed"],
    [42, "failed"],
    [selfCaused, "failed"],
  ])("%j → %s", (thrown, code) => {
    const error = toWalletError(thrown);
    expect(error.code).toBe(code);
    expect(error.cause).toBe(thrown);
  });

  test("ours stay as they are", () => {
    const error = new WalletError("wrong-signer");
    expect(toWalletError(error)).toBe(error);
  });
});
