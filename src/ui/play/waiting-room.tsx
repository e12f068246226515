// Between invite and session, for who invited: the link to send, who has come, and on to the board when it begins.

import { useCallback, useEffect } from "react";
import type { Ref } from "../../core/values.ts";
import { Address } from "../components/address.tsx";
import { Button, LinkButton } from "../components/button.tsx";
import { Notice } from "../components/notice.tsx";
import { Progress } from "../components/progress.tsx";
import { joinLink } from "../../peer/invite-links.ts";
import { useEnvironment } from "../queries/use-environment.ts";
import { to } from "../routes.ts";
import { appUrl, navigate } from "../use-route.ts";
import { callHouse } from "./house.ts";
import { ShareLink } from "./invite-share.tsx";
import { liveOn } from "./live.ts";
import css from "./play.module.css";
import { ReplyForm } from "./reply-form.tsx";
import { usePromise, useSnapshot } from "./use-snapshot.ts";
import { parseRef } from "../../core/values.ts";

const CALL_AGAIN_MS = 2_000;

export function WaitingRoom({ invite, house }: { invite: Ref; house: boolean }) {
  const environment = useEnvironment();
  const make = useCallback(() => liveOn(environment).hostOf(invite), [environment, invite]);
  const host = usePromise(make);
  const snapshot = useSnapshot(host.state === "there" ? host.value : null);
  const session = snapshot?.session ?? null;
  const seat = parseRef(invite)!.wallet;
  useEffect(() => {
    if (session !== null) navigate(to.board(session, new URLSearchParams({ as: seat })), { replace: true });
  }, [session, seat]);
  const waits = snapshot?.stage === "open" && snapshot.guests.length === 0;
  useEffect(() => {
    if (!house || !waits) return;
    const call = () => void callHouse(environment, invite).catch(() => undefined);
    call();
    const timer = setInterval(call, CALL_AGAIN_MS);
    return () => clearInterval(timer);
  }, [environment, house, invite, waits]);

  if (host.state === "failed")
    return (
      <Notice
        large
        kind="error"
        title="This invite cannot be taken up here"
        action={<LinkButton href={to.play()}>Start anew</LinkButton>}
      >
        {host.why}
      </Notice>
    );
  if (snapshot === null) return <Progress label="Looking up the invite" />;
  return (
    <section className={css.form}>
      <div>
        <h1>{house ? "Calling the house" : "Send the invite"}</h1>
        <p className="muted">
          {house
            ? "The house reads the offer, joins, and the game begins."
            : "Whoever opens the link can look at the offer, choose a key and join. They may do so later; you can close this page and come back."}
        </p>
      </div>
      {!house && (
        <>
          <ShareLink label="Invite link" link={joinLink(appUrl(), invite)} what="invite" />
          <ReplyForm
            take={(ref) => (host.state === "there" ? host.value.offerAccept(ref) : Promise.resolve(false))}
          />
        </>
      )}
      <Progress atOnce label={WAITING[snapshot.stage]} />
      {snapshot.guests.map(({ wallet }) => (
        <p key={wallet}>
          <Address value={wallet} /> has joined.
        </p>
      ))}
      {snapshot.problem !== null && (
        <Notice
          kind="warn"
          title="There is a difficulty"
          action={
            <Button
              size="s"
              icon="refresh"
              onClick={() => host.state === "there" && void host.value.refresh()}
            >
              Look again
            </Button>
          }
        >
          {snapshot.problem}
        </Notice>
      )}
    </section>
  );
}

const WAITING = {
  signing: "Signing the invite",
  open: "Waiting for the other to join",
  starting: "Writing the beginning of the session",
  started: "Opening the board",
  failed: "The invite failed",
} as const;
