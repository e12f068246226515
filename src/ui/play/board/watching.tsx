// Waits with an invite for its session, to look on. No key is asked for, and none is used.

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Ref } from "../../../core/values.ts";
import { findSession } from "../../../invite/invite-session.ts";
import { Progress } from "../../components/progress.tsx";
import { useEnvironment } from "../../services/use-environment.ts";
import { to } from "../../routing/routes.ts";
import { navigate } from "../../routing/use-route.ts";
import { PeekOffer } from "../invite/peek-offer.tsx";
import { Terms } from "../invite/terms.tsx";

const LOOK_AGAIN_MS = 3_000;

export function Watching({ invite }: { invite: Ref }) {
  const { hub, channel } = useEnvironment();
  const found = useQuery({
    queryKey: ["session of", hub.name, invite],
    queryFn: () => findSession(hub, invite),
    refetchInterval: ({ state }) => (typeof state.data === "string" ? false : LOOK_AGAIN_MS),
  });
  const { refetch } = found;
  const session = found.data ?? null;
  useEffect(() => channel?.subscribe(invite, () => void refetch()), [channel, invite, refetch]);
  useEffect(() => {
    if (session !== null) navigate(to.board(session, new URLSearchParams({ watch: "1" })), { replace: true });
  }, [session]);
  return (
    <PeekOffer invite={invite}>
      {(offer) => (
        <>
          <Terms offer={offer} />
          <Progress atOnce label="Waiting for the game to begin" />
        </>
      )}
    </PeekOffer>
  );
}
