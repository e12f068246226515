// The reader's own names for wallets. Each is kept by itself, so that tabs do not overwrite one another.

import { createStore, type StoreApi } from "zustand/vanilla";
import { isName } from "../../core/claimed-name.ts";
import { isAddress, type Address } from "../../core/values.ts";
import type { KeptMembers } from "../services/kept-members.ts";

export interface AddressBook {
  readonly names: ReadonlyMap<Address, string>;
  /** Gives a wallet a name; "" takes it away. A text that may not stand as a name changes nothing. */
  readonly rename: (wallet: Address, name: string) => void;
}

export type AddressBookApi = StoreApi<AddressBook>;

export function createAddressBook(initial: ReadonlyMap<Address, string>): AddressBookApi {
  return createStore<AddressBook>((set) => ({
    names: initial,
    rename: (wallet, name) => set(({ names }) => ({ names: withName(names, wallet, name.trim()) })),
  }));
}

/** The same map where nothing changes. */
export function withName(
  names: ReadonlyMap<Address, string>,
  wallet: Address,
  name: string,
): ReadonlyMap<Address, string> {
  if ((names.get(wallet) ?? "") === name || (name !== "" && !isName(name))) return names;
  const next = new Map(names);
  if (name === "") next.delete(wallet);
  else next.set(wallet, name);
  return next;
}

/** Names out of kept members; what is malformed is left out. */
export function readAddressBook(members: ReadonlyMap<string, string>): ReadonlyMap<Address, string> {
  return new Map([...members].filter((one): one is [Address, string] => isAddress(one[0]) && isName(one[1])));
}

/** Keeps what changes here, and takes over what another tab changes. */
export function keepAddressBook(store: AddressBookApi, kept: KeptMembers): void {
  let isRemote = false;
  store.subscribe(({ names }, { names: before }) => {
    if (isRemote || names === before) return;
    for (const [wallet, name] of names) if (before.get(wallet) !== name) kept.set(wallet, name);
    for (const wallet of before.keys()) if (!names.has(wallet)) kept.remove(wallet);
  });
  kept.onChange((member, text) => {
    if (!isAddress(member)) return;
    isRemote = true;
    store.getState().rename(member, text ?? "");
    isRemote = false;
  });
}
