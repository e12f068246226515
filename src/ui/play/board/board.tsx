// The board around any game: who sits here, how live this is, whose move, what is on its way, what it came to.

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Address as AddressValue } from "../../../core/values.ts";
import type { View } from "../../../core/view.ts";
import { describeNoView } from "../../../games/describe.ts";
import type { Peer, PeerSnapshot } from "../../../peer/peer.ts";
import { LinkButton } from "../../components/button.tsx";
import { Copy } from "../../components/copy.tsx";
import { InertText } from "../../components/inert-text.tsx";
import { Notice } from "../../components/notice.tsx";
import { Progress } from "../../components/progress.tsx";
import { NamesProvider } from "../../names/names-context.tsx";
import { noteOf } from "../../names/note-of.ts";
import { useSessionNames } from "../../names/use-session-names.ts";
import { keysQuery } from "../../services/vault-keys.ts";
import { useEnvironment } from "../../services/use-environment.ts";
import { to } from "../../routing/routes.ts";
import { useStores } from "../../services/stores.tsx";
import { appUrl } from "../../routing/use-route.ts";
import { Closing } from "./close-session.tsx";
import { FollowBadge } from "./follow-badge.tsx";
import { ForkOffer } from "./fork-offer.tsx";
import { GameBoard } from "./game-board.tsx";
import { gameTitle } from "../games.ts";
import { useBotAddress } from "../page-bot.ts";
import { IfClosed } from "./if-closed.tsx";
import { MoveTrack } from "./move-track.tsx";
import type { Known } from "../names.ts";
import { NotifyButton } from "../notify-button.tsx";
import css from "../play.module.css";
import { formatMatch } from "../format-match.ts";
import { roundsOf, settledRounds } from "../rps/rounds.ts";
import { useTension } from "./use-tension.ts";
import { Result } from "./result.tsx";
import { Seats } from "./seats.tsx";
import { pageSignals } from "../page-signals.ts";
import { followTurn, isMyMove, titleWith } from "../turn-signal.ts";
import { useSnapshot } from "../use-snapshot.ts";
import { PrivateNotice } from "./private-notice.tsx";
import { WatchLinks } from "./watch-links.tsx";

export function Board({ peer, me }: { peer: Peer; me: AddressValue | null }) {
  const snapshot = useSnapshot(peer)!;
  const { view, verdict } = snapshot;
  useNote(snapshot, me !== null);
  useSignals(peer, me !== null);
  if (view === null) return <Progress label="Reading the session" />;
  if (!view.ok)
    return (
      <Notice
        large
        kind={snapshot.state === "offline" ? "offline" : "warn"}
        title="This session cannot be read yet"
      >
        {describeNoView(view.code, view.why?.at, view.why?.expected)} The Hub is asked again from time to
        time.
      </Notice>
    );
  return <OpenBoard peer={peer} snapshot={snapshot} view={view} verdict={verdict} me={me} />;
}

interface OpenBoardProps {
  readonly peer: Peer;
  readonly snapshot: PeerSnapshot;
  readonly view: View;
  readonly verdict: PeerSnapshot["verdict"];
  readonly me: AddressValue | null;
}

function OpenBoard({ peer, snapshot, view, verdict, me }: OpenBoardProps) {
  const known = useKnown(view, me);
  const decided = verdict?.ok === true && verdict.status === "decided";
  const title = view.terms.title ?? "";
  const settled = settledRounds(roundsOf(view, verdict), decided);
  const shown = useTension(settled);
  const isRevealed = decided && shown === settled;
  return (
    <NamesProvider value={known.names}>
      <header className={css.boardHead}>
        <div>
          <h1>
            <InertText text={title === "" ? gameTitle(view.terms.game) : title} />
          </h1>
          {title !== "" && (
            <p className="muted">
              <InertText text={gameTitle(view.terms.game)} />
            </p>
          )}
        </div>
        <FollowBadge snapshot={snapshot} />
      </header>
      {view.terms.domain !== undefined && <PrivateNotice problem={snapshot.keyProblem} />}
      <Seats view={view} verdict={verdict} known={known} />
      {!decided && <p className="muted">{formatMatch(view.terms.game, view.terms.rules)}</p>}
      {isRevealed && <Result view={view} verdict={verdict} known={known} />}
      {snapshot.keyProblem === null && (
        <GameBoard peer={peer} snapshot={snapshot} view={view} known={known} settled={shown} />
      )}
      <ForkOffer peer={peer} snapshot={snapshot} known={known} />
      <MoveTrack peer={peer} snapshot={snapshot} />
      {!decided && <IfClosed view={view} known={known} />}
      <footer className={css.boardFoot}>
        <span className={css.row}>
          <LinkButton size="s" icon="graph" href={to.session(view.session)}>
            Inspect
          </LinkButton>
          {me !== null && !decided && (
            <Copy text={`${appUrl()}${to.board(view.session)}`} label="Copy the players’ link" words />
          )}
          <WatchLinks view={view} />
          {me !== null && !decided && <NotifyButton />}
        </span>
        {me !== null && !decided && (
          <Closing peer={peer} view={view} verdict={verdict} me={me} known={known} />
        )}
      </footer>
    </NamesProvider>
  );
}

function useKnown(view: View, me: AddressValue | null): Known {
  const { vault } = useEnvironment();
  const keys = useQuery(keysQuery(vault));
  const bot = useBotAddress();
  const names = useSessionNames(view, me);
  return { names, keys: keys.data ?? [], bot, me };
}

/** Keeps the list of recent sessions, and the page's title, up to date. */
function useNote(snapshot: PeerSnapshot, played: boolean): void {
  const { recent } = useStores();
  const { view, verdict } = snapshot;
  const turn = isMyMove(snapshot);
  useEffect(() => {
    if (view?.ok !== true) return;
    recent.getState().note({ ...noteOf(view, verdict), played, seat: snapshot.wallet });
    recent.getState().see(view.entries.keys());
  }, [recent, view, verdict, played, snapshot.wallet]);
  useEffect(() => {
    document.title = titleWith(document.title, turn);
    return () => {
      document.title = titleWith(document.title, false);
    };
  }, [turn]);
}

const signalled = new WeakSet<Peer>();

/** A seat's moves are told of from its first look on: its peer goes on while one looks at another place of the app. */
function useSignals(peer: Peer, seated: boolean): void {
  const { preferences } = useStores();
  useEffect(() => {
    if (!seated || signalled.has(peer)) return;
    signalled.add(peer);
    followTurn(peer, () => preferences.getState(), pageSignals);
  }, [peer, seated, preferences]);
}
