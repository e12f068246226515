// Salts of commitments, which are secret like keys, lie in the store with the protection of the vault's keys.

import type { Store } from "../../platform/key-value-store.ts";
import { sealedStore } from "../../platform/key-value-store.sealed.ts";
import { SALTS } from "../../peer/salts.ts";
import type { Vault } from "../../wallet/vault.ts";

export function withSealedSalts(store: Store, { sealer }: Pick<Vault, "sealer">): Store {
  return sealer === undefined ? store : sealedStore(store, sealer, SALTS);
}
