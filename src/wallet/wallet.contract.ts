// What every wallet must do, whatever holds its key.

import { describe, expect, test } from "vitest";
import { utf8 } from "../core/bytes.ts";
import { personalDigest, personalMessage, recoverPlain } from "../core/signature.ts";
import { isAddress } from "../core/values.ts";
import type { Wallet } from "./wallet.ts";

const TEXTS = [
  "",
  "plain",
  "0x48656c6c6f", // hex-looking text is signed as text
  "Zürich 🎲 e\u0301",
  "line\nline",
  "x".repeat(20_000),
];

export function walletContract(name: string, make: () => Promise<Wallet>): void {
  describe(`wallet: ${name}`, () => {
    test("its address is lower case and stays the same", async () => {
      const wallet = await make();
      expect(isAddress(wallet.address)).toBe(true);
      expect(wallet.address).toBe(wallet.address.toLowerCase());
    });

    test.each(TEXTS)("signs the UTF-8 of a text, low s, v 27 or 28: %j", async (text) => {
      const wallet = await make();
      const signature = await wallet.signText(text);
      expect(signature).toMatch(/^0x[0-9a-f]{128}(1b|1c)$/);
      expect(recoverPlain(personalDigest(text), signature)).toBe(wallet.address);
    });

    test("the length in the EIP-191 prefix is in bytes", () => {
      expect(new TextDecoder().decode(personalMessage("🎲"))).toBe("\x19Ethereum Signed Message:\n4🎲");
      expect(utf8("🎲").length).toBe(4);
    });

    test("ten requests at once each get their own signature", async () => {
      const wallet = await make();
      const texts = Array.from({ length: 10 }, (_, i) => `text ${i}`);
      const signatures = await Promise.all(texts.map((text) => wallet.signText(text)));
      expect(signatures.map((sig, i) => recoverPlain(personalDigest(texts[i]!), sig))).toEqual(
        texts.map(() => wallet.address),
      );
    });

    test("a listener can be added and removed", async () => {
      const wallet = await make();
      const stop = wallet.onChange(() => undefined);
      stop();
      stop();
    });
  });
}
