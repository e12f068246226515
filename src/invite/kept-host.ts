// What a host keeps of its invite on this machine: seats, who is expected, who has accepted, and the session that came.

import { canonicalize, isObject, own, parseJson, type Json } from "../core/canonical.ts";
import { isAddress, isRef, type Address, type Ref } from "../core/values.ts";
import type { Store } from "../platform/key-value-store.ts";

export interface KeptHost {
  readonly players: number;
  readonly hostPlays: boolean;
  /** Wallets that were asked, each with the seq from which its log is looked at. */
  readonly expected: ReadonlyMap<Address, number>;
  /** Accepts of this invite. */
  readonly guests: readonly Ref[];
  readonly session: Ref | null;
  /** Name of the domain of a private session, if it has one. */
  readonly domain?: string;
}

const keyOf = (wallet: Address, invite: Ref): string => `host/${wallet}/${invite}`;

/** @throws StoreError */
export async function keepHost(store: Store, wallet: Address, invite: Ref, kept: KeptHost): Promise<void> {
  const expected = Object.fromEntries(kept.expected);
  await store.put(keyOf(wallet, invite), canonicalize({ ...kept, expected }));
}

/** undefined where nothing is kept of it here. @throws StoreError */
export async function keptHost(store: Store, wallet: Address, invite: Ref): Promise<KeptHost | undefined> {
  const kept = parseJson((await store.get(keyOf(wallet, invite))) ?? "");
  if (!isObject(kept)) return undefined;
  const players = own(kept, "players");
  const session = own(kept, "session");
  const guests = own(kept, "guests");
  const domain = own(kept, "domain");
  return {
    players: typeof players === "number" ? players : 2,
    hostPlays: own(kept, "hostPlays") !== false,
    expected: placesOf(own(kept, "expected")),
    guests: Array.isArray(guests) ? guests.filter((one: Json) => isRef(one)) : [],
    session: isRef(session) ? session : null,
    ...(typeof domain === "string" && { domain }),
  };
}

function placesOf(value: Json | undefined): Map<Address, number> {
  const places = Object.entries(isObject(value) ? value : {});
  return new Map(
    places.flatMap(([wallet, seq]) =>
      isAddress(wallet) && typeof seq === "number" ? [[wallet, seq] as const] : [],
    ),
  );
}
