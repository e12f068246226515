// Nothing a wallet answers is used before it passed here: its form is normalised and it must recover to the
// pinned address. Texts are always handed over as 0x-hex of their UTF-8, so that a text which looks like hex
// cannot be signed as bytes by one side and as text by the other.

import { toHex, utf8 } from "../core/bytes.ts";
import { personalDigest, recoverPlain } from "../core/signature.ts";
import type { Address, SignatureHex } from "../core/values.ts";
import { WalletError } from "./wallet-error.ts";

/** What `personal_sign` is given: 0x-hex of the text's UTF-8 bytes. */
export function personalSignHex(text: string): `0x${string}` {
  return toHex(utf8(text));
}

/** v as wallets answer it, in hex: 27 and 28, and the 0 and 1 of some hardware wallets. */
const V: Readonly<Record<string, string>> = { "00": "1b", "01": "1c", "1b": "1b", "1c": "1c" };

/**
 * The signature in the protocol's form: lower case, v 27 or 28, recovering to `address`.
 * @throws WalletError `bad-signature` or `wrong-signer`
 */
export function checkedSignature(address: Address, text: string, answer: unknown): SignatureHex {
  if (typeof answer !== "string" || !/^0x[0-9a-fA-F]{130}$/.test(answer))
    throw new WalletError("bad-signature", "not 65 bytes of hex");
  const lower = answer.toLowerCase();
  const v = V[lower.slice(130)];
  if (v === undefined) throw new WalletError("bad-signature", `v is 0x${lower.slice(130)}`);
  const signature: SignatureHex = `0x${lower.slice(2, 130)}${v}`;
  const signer = recoverPlain(personalDigest(text), signature);
  if (signer === undefined) throw new WalletError("bad-signature", "it recovers to no address");
  if (signer !== address) throw new WalletError("wrong-signer", signer);
  return signature;
}
