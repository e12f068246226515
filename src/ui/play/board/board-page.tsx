// The board of a session: finds the seat that this browser's keys have in it, or watches. A watcher can never sign.

import { useEffect, useMemo, useState } from "react";
import { isAddress, type Address, type Ref } from "../../../core/values.ts";
import { Notice } from "../../components/notice.tsx";
import { Progress } from "../../components/progress.tsx";
import type { AppEnvironment } from "../../services/environment.ts";
import { useEnvironment } from "../../services/use-environment.ts";
import { ConnectSeat } from "../../wallet/connect-seat.tsx";
import { WalletRequests } from "../../wallet/wallet-requests.tsx";
import { Board } from "./board.tsx";
import { FindSeat } from "./find-seat.tsx";
import { liveOn } from "../live.ts";
import css from "../play.module.css";
import { usePromise } from "../use-snapshot.ts";

export interface BoardPageProps {
  readonly session: Ref;
  /** `as=<address>`: the seat; `watch=1`: none, whatever keys there are; `k`: the key of a private session. */
  readonly params: URLSearchParams;
  readonly setParams: (next: URLSearchParams) => void;
}

export default function BoardPage({ session, params, setParams }: BoardPageProps) {
  const environment = useEnvironment();
  const as = params.get("as");
  const seat = isAddress(as) && params.get("watch") === null ? as : null;
  const key = params.get("k");
  const [attempt, setAttempt] = useState(0);
  const make = useMemo(() => {
    const question = { attempt, ask: () => liveOn(environment).peer(session, seat, key) };
    return question.ask;
  }, [environment, session, seat, key, attempt]);
  const peer = usePromise(make);
  useLeave(environment, session, seat, key);
  if (as !== null && !isAddress(as))
    return <Notice large kind="warn" title="The seat in this link (as=) is no address" />;
  if (peer.state === "failed" && seat !== null)
    return <ConnectSeat seat={seat} why={peer.why} onConnected={() => setAttempt(attempt + 1)} />;
  return (
    <div className={css.board}>
      {peer.state !== "there" ? (
        <Progress label="Opening the board" />
      ) : (
        <>
          {seat === null && params.get("watch") === null && (
            <FindSeat
              peer={peer.value}
              onFound={(address) =>
                setParams(new URLSearchParams({ ...Object.fromEntries(params), as: address }))
              }
            />
          )}
          {seat !== null && <WalletRequests />}
          <Board peer={peer.value} me={seat} />
        </>
      )}
    </div>
  );
}

/** A watcher's peer ends with the page, though not with strict mode's mount for trial, which comes back at once. */
function useLeave(environment: AppEnvironment, session: Ref, seat: Address | null, key: string | null): void {
  useEffect(() => {
    if (seat !== null) return;
    const live = liveOn(environment);
    live.stay(session);
    return () => live.leave(session, key);
  }, [environment, session, seat, key]);
}
