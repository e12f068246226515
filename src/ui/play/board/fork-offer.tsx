// A participant has forked, and no entry of the session says so yet: the proof can be put into one of one's own.

import { describeReason } from "../../../games/describe.ts";
import type { Peer, PeerSnapshot } from "../../../peer/peer.ts";
import { Button } from "../../components/button.tsx";
import { InertText } from "../../components/inert-text.tsx";
import { Notice } from "../../components/notice.tsx";
import { formatName, type Known } from "../names.ts";
import { useAttempt } from "../use-attempt.ts";
import { seatOf } from "../seat-of.ts";

export function ForkOffer({ peer, snapshot, known }: { peer: Peer; snapshot: PeerSnapshot; known: Known }) {
  const { going, problem, attempt } = useAttempt();
  const { turn, verdict } = snapshot;
  const [forked] = turn.unreportedForks;
  if (forked === undefined || known.me === null || turn.left === 0) return null;
  const reason =
    verdict?.ok === true
      ? verdict.reasons.find(({ code, wallet }) => code === "disqualified" && wallet === forked)
      : undefined;
  return (
    <Notice
      kind="warn"
      title="A log was forked"
      action={
        <Button
          size="s"
          icon="fork"
          busy={going || turn.busy}
          onClick={() => void attempt(() => seatOf(peer).reportFork())}
        >
          Put the proof into the session
        </Button>
      }
    >
      {reason !== undefined && (
        <InertText text={describeReason(reason, (wallet) => formatName(known, wallet))} />
      )}{" "}
      It uses up one entry of your share; nobody can hide the fork afterwards.
      {problem !== null && ` It was not written: ${problem}`}
    </Notice>
  );
}
