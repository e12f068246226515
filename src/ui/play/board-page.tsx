// The board of a session: finds the seat that this browser's keys have in it, or watches. A watcher can never sign.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { isAddress, type Address, type Ref } from "../../core/values.ts";
import type { Peer } from "../../peer/peer.ts";
import { Notice } from "../components/notice.tsx";
import { Progress } from "../components/progress.tsx";
import type { AppEnvironment } from "../queries/environment.ts";
import { keysQuery } from "../queries/keys.ts";
import { useEnvironment } from "../queries/use-environment.ts";
import { ConnectSeat } from "../wallets/connect-seat.tsx";
import { WalletRequests } from "../wallets/wallet-requests.tsx";
import { Board } from "./board.tsx";
import { liveOn } from "./live.ts";
import css from "./play.module.css";
import { usePromise, useSnapshot } from "./use-snapshot.ts";

export interface BoardPageProps {
  readonly session: Ref;
  /** `as=<address>`: the seat; `watch=1`: none, whatever keys there are. */
  readonly params: URLSearchParams;
  readonly setParams: (next: URLSearchParams) => void;
}

export default function BoardPage({ session, params, setParams }: BoardPageProps) {
  const environment = useEnvironment();
  const as = params.get("as");
  const seat = isAddress(as) && params.get("watch") === null ? as : null;
  const [attempt, setAttempt] = useState(0);
  const make = useMemo(() => {
    const question = { attempt, ask: () => liveOn(environment).peer(session, seat) };
    return question.ask;
  }, [environment, session, seat, attempt]);
  const peer = usePromise(make);
  useLeave(environment, session, seat);
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
function useLeave(environment: AppEnvironment, session: Ref, seat: Address | null): void {
  useEffect(() => {
    if (seat !== null) return;
    const live = liveOn(environment);
    live.stay(session);
    return () => live.leave(session);
  }, [environment, session, seat]);
}

/** Takes the seat by itself where exactly one key of this browser has one; asks where there are several. */
function FindSeat({ peer, onFound }: { peer: Peer; onFound: (address: Address) => void }) {
  const { vault } = useEnvironment();
  const keys = useQuery(keysQuery(vault));
  const snapshot = useSnapshot(peer);
  const view = snapshot?.view;
  const mine =
    view?.ok === true ? (keys.data ?? []).filter(({ address }) => view.participants.includes(address)) : [];
  const only = mine.length === 1 ? mine[0]!.address : undefined;
  useEffect(() => {
    // The seat is in the address from then on, and this component is gone.
    if (only !== undefined) onFound(only);
  }, [only, onFound]);
  if (mine.length < 2) return null;
  return (
    <Notice
      kind="info"
      title="Several of your keys sit here"
      action={mine.map(({ address, name }) => (
        <button key={address} type="button" className={css.plainButton} onClick={() => onFound(address)}>
          Play as {name}
        </button>
      ))}
    />
  );
}
