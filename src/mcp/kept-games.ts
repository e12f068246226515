// Which games this process was asked to take part in, kept on its disk, so that a restart goes on with these and no others.

import { canonicalize, isObject, own, parseJson } from "../core/canonical.ts";
import { isRef, type Address, type Ref } from "../core/values.ts";
import type { Store } from "../platform/key-value-store.ts";

export interface KeptGame {
  /** The invite, or the session where it was entered without one: what the game is kept under. */
  readonly id: Ref;
  readonly role: "host" | "guest" | "seat";
  /** Another invite on the same terms that the host has joined instead of its own. */
  readonly instead: Ref | null;
  readonly session: Ref | null;
  /** Announced in the lobby while it waits for guests. */
  readonly open: boolean;
  /** Its verdict is final: nothing more is signed. */
  readonly over: boolean;
}

const prefixOf = (wallet: Address): string => `game/${wallet}/`;

/** @throws StoreError */
export async function keepGame(store: Store, wallet: Address, { id, ...rest }: KeptGame): Promise<void> {
  await store.put(prefixOf(wallet) + id, canonicalize(rest));
}

/** What can't be read is left alone: nothing is signed for it. @throws StoreError */
export async function keptGames(store: Store, wallet: Address): Promise<readonly KeptGame[]> {
  const games: KeptGame[] = [];
  for (const key of await store.keys(prefixOf(wallet))) {
    const game = readKept(key.slice(prefixOf(wallet).length), (await store.get(key)) ?? "");
    if (game !== undefined) games.push(game);
  }
  return games;
}

function readKept(id: string, text: string): KeptGame | undefined {
  const kept = parseJson(text);
  if (!isObject(kept) || !isRef(id)) return undefined;
  const [role, instead, session] = [own(kept, "role"), own(kept, "instead"), own(kept, "session")];
  if (role !== "host" && role !== "guest" && role !== "seat") return undefined;
  return {
    id,
    role,
    instead: isRef(instead) ? instead : null,
    session: isRef(session) ? session : null,
    open: own(kept, "open") === true,
    over: own(kept, "over") === true,
  };
}
