// Reads an invite before any key is chosen: the offer of a checked entry, or why there is none.

import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { fetchEntry, readOffer } from "../../../invite/invite-entries.ts";
import type { Offer } from "../../../invite/invite.ts";
import type { Hub } from "../../../hub/hub.ts";
import type { Ref } from "../../../core/values.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Progress } from "../../components/progress.tsx";
import { useEnvironment } from "../../services/use-environment.ts";

/** What an invite offers. An entry under its ref never changes. */
export function offerQuery(hub: Hub, invite: Ref) {
  return queryOptions({
    queryKey: ["offer", hub.name, invite],
    queryFn: () => lookUp(hub, invite),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function PeekOffer({ invite, children }: { invite: Ref; children: (offer: Offer) => ReactNode }) {
  const environment = useEnvironment();
  const offer = useQuery(offerQuery(environment.hub, invite));
  if (offer.isPending) return <Progress label="Reading the offer" />;
  if (offer.data === undefined)
    return (
      <Notice
        kind="offline"
        title="The offer cannot be read"
        action={
          <Button size="s" icon="refresh" busy={offer.isFetching} onClick={() => void offer.refetch()}>
            Try again
          </Button>
        }
      >
        {offer.error?.message ?? "The Hub does not have it."}
      </Notice>
    );
  return children(offer.data);
}

/** @throws Error that says what is wrong with the invite, HubError where the Hub fails */
async function lookUp(hub: Hub, invite: Ref): Promise<Offer> {
  const entry = await fetchEntry(hub, invite);
  if (entry === undefined)
    throw new Error("The Hub does not have this invite, or what it gives is another entry.");
  const offer = readOffer(entry);
  if (offer === undefined) throw new Error("This link leads to an entry that offers no session.");
  return offer;
}
