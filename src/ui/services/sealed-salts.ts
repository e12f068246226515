// Salts of commitments and keys of private sessions, which are secret like keys, lie in the store with the protection of
// the vault's keys.

import type { Store } from "../../platform/key-value-store.ts";
import { sealedStore } from "../../platform/key-value-store.sealed.ts";
import { DOMAIN_KEYS, READING_KEYS } from "../../peer/domain-keys.ts";
import { SALTS } from "../../peer/salts.ts";
import type { Vault } from "../../wallet/vault.ts";

const SECRETS = [SALTS, DOMAIN_KEYS, READING_KEYS];

export function withSealedSalts(store: Store, { sealer }: Pick<Vault, "sealer">): Store {
  return sealer === undefined ? store : sealedStore(store, sealer, SECRETS);
}
