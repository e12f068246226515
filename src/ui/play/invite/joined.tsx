// An invitation accepted: how far it is, the reply to send where nothing else tells the host, and on to the board.

import { useCallback, useEffect } from "react";
import type { Address as AddressValue, Ref } from "../../../core/values.ts";
import { acceptLink } from "../../../invite/invite-links.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { Progress } from "../../components/progress.tsx";
import { useEnvironment } from "../../services/use-environment.ts";
import { to } from "../../routing/routes.ts";
import { appUrl, navigate } from "../../routing/use-route.ts";
import { WalletRequests } from "../../wallet/wallet-requests.tsx";
import { joinInstead } from "../again.ts";
import { ShareLink } from "./invite-share.tsx";
import { liveOn } from "../live.ts";
import { usePromise, useSnapshot } from "../use-snapshot.ts";

interface JoinedProps {
  readonly invite: Ref;
  readonly seat: AddressValue;
  /** The person wants another wallet after all. */
  readonly onOther: () => void;
}

export function Joined({ invite, seat, onOther }: JoinedProps) {
  const environment = useEnvironment();
  const make = useCallback(() => liveOn(environment).joining(invite, seat), [environment, invite, seat]);
  const joining = usePromise(make);
  const snapshot = useSnapshot(joining.state === "there" ? joining.value : null);
  const stage = snapshot?.stage;
  const session = snapshot?.session ?? null;
  const accept = snapshot?.accept ?? null;
  const instead = snapshot?.instead ?? null;
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
      <Notice kind="error" title="Joining failed">
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
          title="Joining is held up"
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
      {instead !== null && stage === "waiting" && (
        <Notice
          kind="info"
          title="The host has gone to another’s invite"
          action={
            <Button size="s" icon="play" onClick={() => joinInstead(environment, instead, seat, true)}>
              Join there
            </Button>
          }
        >
          It is on the same terms; several had asked to play at once.
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
          <div>
            <Button size="s" kind="quiet" onClick={onOther}>
              Join with another key as well
            </Button>
          </div>
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
