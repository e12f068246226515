// Between invite and session, for who invited: the link to send, who has come, and on to the board when it begins.

import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { keepAnnounced } from "../../../invite/lobby.ts";
import { parseRef, type Ref } from "../../../core/values.ts";
import { Address } from "../../components/address.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Progress } from "../../components/progress.tsx";
import { joinLink } from "../../../invite/invite-links.ts";
import { useEnvironment } from "../../services/use-environment.ts";
import { to } from "../../routing/routes.ts";
import { WalletRequests } from "../../wallet/wallet-requests.tsx";
import { appUrl, navigate } from "../../routing/use-route.ts";
import { joinInstead } from "../again.ts";
import { callBot, useBotAddress } from "../page-bot.ts";
import { ShareLink } from "./invite-share.tsx";
import { liveOn } from "../live.ts";
import { offerQuery } from "./peek-offer.tsx";
import css from "../play.module.css";
import { ReplyForm } from "./reply-form.tsx";
import { StartNow } from "../start/start-now.tsx";
import { Terms } from "./terms.tsx";
import { usePromise, useSnapshot } from "../use-snapshot.ts";
import { WatchLink } from "../board/watch-link.tsx";

const CALL_AGAIN_MS = 2_000;

export interface WaitingRoomProps {
  readonly invite: Ref;
  /** The bot is called. */
  readonly bot: boolean;
  /** The invite is announced in the lobby while this page is open. */
  readonly lobby: boolean;
  /** The reply of who joined, if the link is one. */
  readonly accept: Ref | null;
}

export function WaitingRoom({ invite, bot, lobby, accept }: WaitingRoomProps) {
  const environment = useEnvironment();
  const make = useCallback(() => liveOn(environment).hostOf(invite), [environment, invite]);
  const host = usePromise(make);
  const snapshot = useSnapshot(host.state === "there" ? host.value : null);
  const session = snapshot?.session ?? null;
  const seat = parseRef(invite)!.wallet;
  const offer = useQuery(offerQuery(environment.hub, invite)).data;
  const { players = 2, hostPlays = true } = snapshot ?? {};
  useEffect(() => {
    if (session === null) return;
    const place = hostPlays ? { as: seat } : { watch: "1" };
    navigate(to.board(session, new URLSearchParams({ ...place })), { replace: true });
  }, [session, seat, hostPlays]);
  const instead = snapshot?.stage === "open" ? snapshot.instead : null;
  useEffect(() => {
    // Both have asked for the same at once: all come to one of the invites, and this one is given up.
    if (instead === null) return;
    void liveOn(environment).giveUp(invite);
    joinInstead(environment, instead, seat, true);
  }, [environment, invite, instead, seat]);
  useEffect(() => {
    if (lobby && host.state === "there") return keepAnnounced(environment, host.value);
  }, [environment, host, lobby]);
  useEffect(() => {
    if (accept !== null && host.state === "there") void host.value.offerAccept(accept).catch(() => false);
  }, [host, accept]);
  const botIs = useBotAddress();
  // Called until it has come: an announcement may be lost, and of several seats others may take one first.
  const waits = snapshot?.stage === "open" && !snapshot.guests.some(({ wallet }) => wallet === botIs);
  useEffect(() => {
    if (!bot || !waits) return;
    const call = () => void callBot(environment, invite).catch(() => undefined);
    call();
    const timer = setInterval(call, CALL_AGAIN_MS);
    return () => clearInterval(timer);
  }, [environment, bot, invite, waits]);

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
  const seats = players - (hostPlays ? 1 : 0);
  const alone = bot && seats === 1;
  return (
    <section className={css.form}>
      <div>
        <h1>{alone ? "Calling the bot" : snapshot.expects ? "You ask to play again" : "Send the invite"}</h1>
        <p className="muted">{alone ? BOT : snapshot.expects ? AGAIN : LINK}</p>
      </div>
      {offer !== undefined && <Terms offer={offer} seats={players} />}
      {!alone && (
        <>
          <ShareLink label="Invite link" link={joinLink(appUrl(), invite)} what="invite" />
          <div className={css.row}>
            <WatchLink link={`${appUrl()}${to.join(invite, new URLSearchParams({ watch: "1" }))}`} />
            {lobby && <span className="muted">Listed in the lobby while this page is open.</span>}
          </div>
          <ReplyForm
            take={(ref) => (host.state === "there" ? host.value.offerAccept(ref) : Promise.resolve(false))}
          />
        </>
      )}
      <Progress
        atOnce
        label={
          snapshot.stage === "open" && seats > 1 ? "Waiting for the others to join" : WAITING[snapshot.stage]
        }
        {...(seats > 1 && { done: snapshot.guests.length, total: seats })}
      />
      <WalletRequests />
      {snapshot.guests.map(({ wallet }) => (
        <p key={wallet}>
          <Address value={wallet} /> has joined.
        </p>
      ))}
      {snapshot.stage === "open" && seats > 1 && snapshot.guests.length > 0 && host.state === "there" && (
        <StartNow host={host.value} here={snapshot.guests.length} of={seats} />
      )}
      {snapshot.problem !== null && (
        <Notice
          kind="warn"
          title="The invite is held up"
          action={
            <Button
              size="s"
              icon="refresh"
              onClick={() => host.state === "there" && void host.value.refresh()}
            >
              Try again
            </Button>
          }
        >
          {snapshot.problem}
        </Notice>
      )}
    </section>
  );
}

const BOT = "The bot reads the offer, joins, and the game begins.";
const LINK =
  "Anyone with the link can read the offer, choose a key and join, now or later. You can close this page and come back.";
const AGAIN =
  "The others see your offer on the board of the last game. If they have left it, send them the link. You can close this page and come back.";

const WAITING = {
  signing: "Signing the invite",
  open: "Waiting for the other to join",
  starting: "Writing the beginning of the session",
  started: "Opening the board",
  failed: "The invite failed",
} as const;
