// The two calls that the benchmark makes of the native `secp256k1` package, which ships no types.

declare module "secp256k1" {
  const secp256k1: {
    ecdsaSign(digest: Uint8Array, secret: Uint8Array): { signature: Uint8Array; recid: number };
    ecdsaRecover(signature: Uint8Array, recid: number, digest: Uint8Array, compressed: boolean): Uint8Array;
  };
  export default secp256k1;
}
