// An invitation, opened: what is offered, which key plays, and joining.

import { useCallback, useEffect, useState } from "react";
import { parseRef, type Address as AddressValue, type Ref } from "../../core/values.ts";
import { acceptLink } from "../../peer/invite-links.ts";
import { Address } from "../components/address.tsx";
import { Button, LinkButton } from "../components/button.tsx";
import { Notice } from "../components/notice.tsx";
import { Progress } from "../components/progress.tsx";
import { useEnvironment } from "../queries/use-environment.ts";
import { to } from "../routes.ts";
import { appUrl, navigate } from "../use-route.ts";
import { BackupOffer } from "./backup-offer.tsx";
import { ShareLink } from "./invite-share.tsx";
import { liveOn } from "./live.ts";
import { PeekOffer } from "./peek-offer.tsx";
import css from "./play.module.css";
import { Terms } from "./terms.tsx";
import { Watching } from "./watching.tsx";
import { usePromise, useSnapshot } from "./use-snapshot.ts";
import { WalletRequests } from "../wallets/wallet-requests.tsx";
import { usePlayer, WalletPicker } from "./wallet-picker.tsx";

export interface JoinPageProps {
  readonly invite: Ref;
  /** `watch=1`: to look on, whatever keys there are. */
  readonly params: URLSearchParams;
}

export default function JoinPage({ invite, params }: JoinPageProps) {
  const host = parseRef(invite)!.wallet;
  const [seat, setSeat] = useState<AddressValue | null>(null);
  return (
    <div className={css.page}>
      <section className={css.form}>
        <div>
          <h1>{params.get("watch") === null ? "You are invited" : "Watch a game"}</h1>
          <p className="muted">
            by <Address value={host} copy />
          </p>
        </div>
        {params.get("watch") !== null ? (
          <Watching invite={invite} />
        ) : seat === null ? (
          <Choosing invite={invite} onJoin={setSeat} />
        ) : (
          <Joined invite={invite} seat={seat} />
        )}
      </section>
    </div>
  );
}

function Choosing({ invite, onJoin }: { invite: Ref; onJoin: (seat: AddressValue) => void }) {
  const { player, choose, ready } = usePlayer();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const join = async () => {
    setBusy(true);
    try {
      onJoin(await ready());
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <PeekOffer invite={invite}>
      {(offer) => (
        <>
          <Terms offer={offer} />
          <WalletPicker player={player} onChoose={choose} />
          <BackupOffer player={player} />
          {player === parseRef(invite)!.wallet && (
            <Notice
              kind="info"
              title="This is your own invite"
              action={
                <LinkButton size="s" href={to.play(new URLSearchParams({ invite }))}>
                  To its waiting room
                </LinkButton>
              }
            >
              Join with another key, or send the link to somebody.
            </Notice>
          )}
          {problem !== null && <Notice kind="error" title={problem} />}
          <div className={css.row}>
            <Button
              kind="primary"
              size="l"
              icon="play"
              busy={busy}
              disabled={player === parseRef(invite)!.wallet}
              onClick={() => void join()}
            >
              Join
            </Button>
          </div>
        </>
      )}
    </PeekOffer>
  );
}

function Joined({ invite, seat }: { invite: Ref; seat: AddressValue }) {
  const environment = useEnvironment();
  const make = useCallback(() => liveOn(environment).joining(invite, seat), [environment, invite, seat]);
  const joining = usePromise(make);
  const snapshot = useSnapshot(joining.state === "there" ? joining.value : null);
  const stage = snapshot?.stage;
  const session = snapshot?.session ?? null;
  const accept = snapshot?.accept ?? null;
  const troubled = snapshot?.problem != null;
  useEffect(() => {
    // The person has said "Join": accept as soon as the offer is read. A second call while accepting is the same one.
    // What did not come to be, they may want to try again; a wallet that they declined in is not opened by itself.
    if (joining.state === "there" && stage === "offered" && !troubled)
      void joining.value.accept().catch(() => undefined);
  }, [joining, stage, troubled]);
  useEffect(() => {
    if (session !== null) navigate(to.board(session, new URLSearchParams({ as: seat })), { replace: true });
  }, [session, seat]);
  const again = async () => {
    if (joining.state === "there") await joining.value.accept().catch(() => undefined);
  };
  if (joining.state === "failed")
    return (
      <Notice kind="error" title="You could not join">
        {joining.why}
      </Notice>
    );
  return (
    <>
      {!(stage === "offered" && troubled) && <Progress atOnce label={WAITING[stage ?? "reading"]} />}
      <WalletRequests />
      {snapshot?.problem != null && (
        <Notice
          kind="warn"
          title="There is a difficulty"
          action={
            stage === "offered" && (
              <Button size="s" icon="refresh" onClick={() => void again()}>
                Try again
              </Button>
            )
          }
        >
          {snapshot.problem}
        </Notice>
      )}
      {stage === "waiting" && accept !== null && (
        <>
          <p className="muted">
            You have joined. It begins when the other’s page is open; you may come back later.
          </p>
          <ShareLink
            label="If it does not begin, send them this reply"
            link={acceptLink(appUrl(), invite, accept)}
            what="reply"
          />
        </>
      )}
    </>
  );
}

const WAITING = {
  reading: "Reading the offer",
  offered: "Joining",
  accepting: "Signing that you accept",
  waiting: "Waiting for the other to begin",
  started: "Opening the board",
  failed: "Joining failed",
} as const;
