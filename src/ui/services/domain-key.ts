// The key of a private session: as a player of this browser keeps it, or as a link carries it.

import { queryOptions } from "@tanstack/react-query";
import { fromBase64url } from "../../core/bytes.ts";
import { domainKey } from "../../core/seal.ts";
import { DOMAIN_KEY_BYTES, type DomainKey } from "../../core/sealed.ts";
import type { Domain } from "../../core/session.ts";
import { findDomainKey } from "../../peer/domain-keys.ts";
import type { Store } from "../../platform/key-value-store.ts";

/** null where none is kept here, or the session is open. A key that is found never changes. */
export function domainKeyQuery(store: Store, domain: Domain | undefined) {
  return queryOptions({
    queryKey: ["domain key", domain?.key_hash ?? null],
    queryFn: async () =>
      domain === undefined ? null : ((await findDomainKey(store, domain.key_hash)) ?? null),
    enabled: domain !== undefined,
    staleTime: Infinity,
  });
}

/** The key of a private session in a link's `k`; undefined where it is none. */
export function readKey(text: string | null): DomainKey | undefined {
  const key = text === null ? undefined : fromBase64url(text);
  return key?.length === DOMAIN_KEY_BYTES ? domainKey(key) : undefined;
}
