// Recovery by libsecp256k1 in WebAssembly (@bitauth/libauth): an implementation that is not ours, for comparison.

import { instantiateSecp256k1 } from "@bitauth/libauth";
import { fromHex } from "../core/bytes.ts";
import { recoveryBit, type Recovery } from "../crypto/recovery.ts";

export async function libsecpRecovery(): Promise<Recovery> {
  const curve = await instantiateSecp256k1();
  return {
    name: "libsecp256k1",
    recover: (digest, sig) => {
      const key = curve.recoverPublicKeyUncompressed(fromHex(sig.slice(0, 130)), recoveryBit(sig), digest);
      return typeof key === "string" ? undefined : key;
    },
  };
}
