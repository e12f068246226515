// The names of a session as this reader sees it: the address book, the keys of this browser, the bot, what wallets claim.

import { useQuery } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import { isAddress, type Address, type Ref } from "../../core/values.ts";
import type { View } from "../../core/view.ts";
import { claimedNames } from "../../names/claimed-names.ts";
import { sessionNames, type SessionNames } from "../../names/session-names.ts";
import { useBotAddress } from "../play/page-bot.ts";
import { useAddressBook, useRecent } from "../services/stores.tsx";
import { useEnvironment } from "../services/use-environment.ts";
import { keysQuery } from "../services/vault-keys.ts";
import { currentSkeleton, onSkeleton } from "./late-skeleton.ts";
import { givenNames, seatOfReader } from "./reader.ts";

export interface NamesOf {
  readonly participants: readonly Address[];
  /** The session, for the seat that was noted of it. */
  readonly session?: Ref | undefined;
  /** The seat that the page is about, null for none; undefined to find the reader's own. */
  readonly me?: Address | null | undefined;
  readonly claimed?: ReadonlyMap<Address, string> | undefined;
}

/** For any wallets: before there is a session, those of an invite. */
export function useNamesOf({ participants, session, me, claimed }: NamesOf): SessionNames {
  const { vault } = useEnvironment();
  const keys = useQuery(keysQuery(vault)).data;
  const bot = useBotAddress();
  const book = useAddressBook((state) => state.names);
  const noted = useRecent((state) => state.sessions.find((one) => one.session === session)?.seat ?? null);
  const skeletonOf = useSyncExternalStore(onSkeleton, currentSkeleton);
  // Texts stand for what they list: a view that grows has the same participants and claims.
  const among = participants.join(" ");
  const claims = [...(claimed ?? [])].map((one) => one.join(" ")).join("\n");
  return useMemo(() => {
    const wallets = among.split(" ").filter(isAddress);
    return sessionNames({
      participants: wallets,
      bot,
      me: me === undefined ? seatOfReader(wallets, keys ?? [], noted) : me,
      given: givenNames(book, keys ?? []),
      claimed: readClaims(claims),
      ...(skeletonOf !== undefined && { skeletonOf }),
    });
  }, [among, claims, me, bot, book, keys, noted, skeletonOf]);
}

function readClaims(text: string): ReadonlyMap<Address, string> {
  const lines = text.split("\n").map((line) => [line.slice(0, 42), line.slice(43)] as const);
  return new Map(lines.filter((one): one is [Address, string] => isAddress(one[0])));
}

/** For a session, before and after its view is there. */
export function useSessionNames(view: View | null, me?: Address | null): SessionNames {
  const claimed = useMemo(() => (view === null ? undefined : claimedNames(view)), [view]);
  return useNamesOf({ participants: view?.participants ?? NONE, session: view?.session, me, claimed });
}

const NONE: readonly Address[] = [];
