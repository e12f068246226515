// Once more on the same terms: a new invite, and the others are told by their inboxes. And the other way round: what
// one of them offers is shown here.

import { useEffect, useState } from "react";
import type { Address, Ref } from "../../core/values.ts";
import { parseRef } from "../../core/values.ts";
import type { View } from "../../core/view.ts";
import { fetchEntry, readOffer } from "../../peer/invite-entries.ts";
import type { Offer } from "../../peer/invite.ts";
import { RefInbox } from "../../peer/ref-inbox.ts";
import { Button, LinkButton } from "../components/button.tsx";
import { InertText } from "../components/inert-text.tsx";
import { Notice } from "../components/notice.tsx";
import { useEnvironment } from "../queries/use-environment.ts";
import { to } from "../routes.ts";
import { navigate } from "../use-route.ts";
import { liveOn } from "./live.ts";
import { callIn, type Known } from "./names.ts";
import { useAttempt } from "./use-attempt.ts";

/** The offer that a session's terms were, or undefined where it cannot be made again by an invite. */
export function offerAgain(view: View): Offer | undefined {
  const { game, rules, deadline, default_outcome, title, domain } = view.terms;
  if (domain !== undefined) return undefined;
  return { game, rules, deadline, default_outcome, ...(title !== undefined && { title }) };
}

export function Rematch({ view, me, known }: { view: View; me: Address; known: Known }) {
  const environment = useEnvironment();
  const { going, problem, attempt } = useAttempt();
  const offer = offerAgain(view);
  const asked = useAsked(view, me);
  if (offer === undefined) return null;
  const others = view.participants.filter((wallet) => wallet !== me);
  const house = known.house !== null && others.includes(known.house);
  const again = async () => {
    const options = { players: view.participants.length, hostPlays: true, expected: others };
    const invite = await liveOn(environment).host(me, offer, options);
    for (const wallet of others) environment.channel?.publish(wallet, invite);
    navigate(to.play(new URLSearchParams({ invite, ...(house && { house: "1" }) })));
  };
  return (
    <>
      <Button icon="refresh" busy={going} onClick={() => void attempt(again)}>
        Play again
      </Button>
      {asked !== null && (
        <Notice
          kind="info"
          title="A rematch is offered"
          action={
            <LinkButton size="s" kind="primary" icon="play" href={to.join(asked)}>
              Look at it
            </LinkButton>
          }
        >
          By <InertText text={callIn(known, parseRef(asked)!.wallet)} wrap={false} />.
        </Notice>
      )}
      {problem !== null && <Notice kind="error" title={problem} />}
    </>
  );
}

/** The newest invite of another participant to the same game, announced to this seat's inbox since. */
function useAsked(view: View, me: Address): Ref | null {
  const { channel, hub, clock, random } = useEnvironment();
  const [asked, setAsked] = useState<Ref | null>(null);
  const { participants, session, terms } = view;
  const game = terms.game;
  const among = participants.join(" ");
  useEffect(() => {
    if (channel === null) return;
    const take = async (ref: Ref) => {
      const author = parseRef(ref)?.wallet;
      // Only of who played here, and newer than this session's own entries of that wallet.
      if (author === undefined || author === me || !among.split(" ").includes(author)) return "bad";
      const entry = await fetchEntry(hub, ref);
      const offer = entry === undefined ? undefined : readOffer(entry);
      if (offer === undefined || offer.game !== game) return "bad";
      setAsked(ref);
      return "good";
    };
    const inbox = new RefInbox({ clock, random, take });
    const stop = channel.subscribe(me, (ref) => inbox.push(ref));
    return () => {
      stop();
      inbox.close();
    };
  }, [channel, hub, clock, random, me, among, game, session]);
  const invitedBy =
    asked === null ? undefined : view.members.find((m) => m.wallet === parseRef(asked)!.wallet);
  // An invite from before this session's end is an old one: the relay keeps the last refs of a topic.
  return asked !== null && parseRef(asked)!.seq > (invitedBy?.end ?? 0) ? asked : null;
}
