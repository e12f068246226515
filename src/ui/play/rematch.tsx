// Once more on the same terms, and what one of the others offers of that kind: on the same terms it is joined by the
// same button, on others it can be looked at.

import { useEffect, useState } from "react";
import type { Address, Ref } from "../../core/values.ts";
import { parseRef } from "../../core/values.ts";
import type { View } from "../../core/view.ts";
import { equalOffers, fetchEntry, readOffer } from "../../invite/invite-entries.ts";
import type { Offer } from "../../invite/invite.ts";
import { RefInbox } from "../../session/ref-inbox.ts";
import { Button, LinkButton } from "../components/button.tsx";
import { InertText } from "../components/inert-text.tsx";
import { Notice } from "../components/notice.tsx";
import { useEnvironment } from "../services/use-environment.ts";
import { to } from "../routing/routes.ts";
import { logsSince, offerAgain, playAgain } from "./again.ts";
import { formatName, type Known } from "./names.ts";
import { useAttempt } from "./use-attempt.ts";

export function Rematch({ view, me, known }: { view: View; me: Address; known: Known }) {
  const environment = useEnvironment();
  const { going, problem, attempt } = useAttempt();
  const offer = offerAgain(view);
  const asked = useAsked(view, me);
  const bot = known.bot !== null && known.bot !== me && view.participants.includes(known.bot);
  return (
    <>
      <Button
        icon="refresh"
        busy={going}
        onClick={() => void attempt(() => playAgain(environment, { view, me, offer, bot }))}
      >
        Play again
      </Button>
      {asked !== null && <Asked {...asked} me={me} known={known} same={equalOffers(asked.offer, offer)} />}
      {problem !== null && (
        <Notice kind="error" title="The rematch was not started">
          {problem}
        </Notice>
      )}
    </>
  );
}

interface Asking {
  readonly invite: Ref;
  readonly offer: Offer;
}

function Asked({ invite, me, known, same }: Asking & { me: Address; known: Known; same: boolean }) {
  const who = <InertText text={formatName(known, parseRef(invite)!.wallet)} wrap={false} />;
  if (same)
    return (
      <Notice kind="info" title="A rematch is offered">
        {who} wants to play again, on the same terms. “Play again” joins.
      </Notice>
    );
  return (
    <Notice
      kind="info"
      title="Another game is offered"
      action={
        <LinkButton size="s" icon="play" href={to.join(invite, new URLSearchParams({ as: me }))}>
          Look at it
        </LinkButton>
      }
    >
      By {who}, on other terms.
    </Notice>
  );
}

/** The newest invite of another participant to the same game, announced to this seat's inbox since. */
function useAsked(view: View, me: Address): Asking | null {
  const { channel, hub, clock, random } = useEnvironment();
  const [asked, setAsked] = useState<Asking | null>(null);
  const { game } = view.terms;
  const among = view.participants.join(" ");
  useEffect(() => {
    if (channel === null) return;
    const take = async (invite: Ref) => {
      const author = parseRef(invite)?.wallet;
      if (author === undefined || author === me || !among.split(" ").includes(author)) return "bad";
      const entry = await fetchEntry(hub, invite);
      if (entry === undefined) return "later";
      const offer = readOffer(entry);
      if (offer === undefined || offer.game !== game) return "bad";
      setAsked({ invite, offer });
      return "good";
    };
    const inbox = new RefInbox({ clock, random, take });
    const stop = channel.subscribe(me, (ref) => inbox.push(ref));
    return () => {
      stop();
      inbox.close();
    };
  }, [channel, hub, clock, random, me, among, game]);
  if (asked === null) return null;
  // An invite from before this session's end is an old one: the relay keeps the last refs of a topic.
  const { wallet, seq } = parseRef(asked.invite)!;
  return seq >= (logsSince(view).get(wallet) ?? 0) ? asked : null;
}
