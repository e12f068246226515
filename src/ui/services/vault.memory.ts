// A vault in memory, for a page whose browser keeps nothing: the keys are gone with the page, and the interface says so.

import type { Address } from "../../core/values.ts";
import { addressOfSecret, localWallet, type SecretHex } from "../../wallet/wallet.local.ts";
import {
  checkKeyName,
  checkNameFree,
  sortKeys,
  VaultError,
  type Vault,
  type VaultKey,
} from "../../wallet/vault.ts";

export function memoryVault(): Vault {
  const keys = new Map<Address, { name: string; secret: SecretHex }>();
  const find = (address: Address) => {
    const found = keys.get(address);
    if (found === undefined) throw new VaultError("no-such-key", `no key for ${address}`);
    return found;
  };
  const list = () => [...keys].map(([address, { name }]): VaultKey => ({ address, name }));
  const named = (name: string, address: Address) => {
    checkNameFree(list(), checkKeyName(name), address);
    return name;
  };
  return {
    protection: "plain",
    list: async () => sortKeys(list()),
    add: async (name, secret) => {
      const address = addressOfSecret(secret);
      keys.set(address, { name: named(name, address), secret });
      return { address, name };
    },
    wallet: async (address) => localWallet(find(address).secret),
    secret: async (address) => find(address).secret,
    rename: async (address, name) => void keys.set(address, { ...find(address), name: named(name, address) }),
    remove: async (address) => {
      find(address);
      keys.delete(address);
    },
  };
}
