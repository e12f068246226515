// What this seat has sealed and not opened yet, read from where it is kept: only this browser knows it.

import { useQuery } from "@tanstack/react-query";
import type { View } from "../../../core/view.ts";
import { judge } from "../../../games/judge.ts";
import type { PeerSnapshot } from "../../../peer/peer.ts";
import { findSalt } from "../../../peer/salts.ts";
import { unopenedCommits } from "../../../peer/turn.ts";
import { useEnvironment } from "../../services/use-environment.ts";

export interface OwnSealed {
  readonly round: number;
  readonly value: string;
}

/** null where nothing is sealed, or its value is not kept here. */
export function useOwnSealed({ wallet }: PeerSnapshot, view: View): OwnSealed | null {
  const { store } = useEnvironment();
  const commit = wallet === null ? undefined : unopenedCommits(view, judge(view), wallet)[0];
  const commitment = commit?.commitment ?? null;
  const kept = useQuery({
    queryKey: ["sealed", view.session, commitment],
    queryFn: async () => (await findSalt(store, view.session, commitment!)) ?? null,
    enabled: commitment !== null,
  });
  if (commit === undefined || kept.data === undefined || kept.data === null) return null;
  return { round: commit.round, value: kept.data.value };
}
