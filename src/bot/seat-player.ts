// Plays one seat of a session by a strategy, until the verdict. Errors wait and are tried again; what the rules
// refuse is not insisted on.

import type { Ref } from "../core/values.ts";
import type { View } from "../core/view.ts";
import type { Verdict } from "../games/game.ts";
import { Asking, type AskOptions } from "./ask-strategy.ts";
import { createBackoff } from "../platform/backoff.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { openSeat } from "../peer/seat.ts";
import type { LogWriter } from "../log/log-writer.ts";
import { MoveError } from "../log/move-error.ts";
import type { Owed, Seat, Turn } from "../peer/peer.ts";

export interface SeatOptions extends AskOptions {
  readonly session: Ref;
  readonly log: LogWriter;
  readonly acceptVolatile?: boolean;
  /** Called at every change, for progress. */
  readonly onChange?: (peer: Seat) => void;
  /** An attempt to move failed; it is tried again. */
  readonly onError?: (error: unknown) => void;
}

export interface SeatPlayer {
  readonly peer: Seat;
  /** Resolves with the verdict once it is decided; rejects if closed before. */
  readonly decided: Promise<Verdict>;
  close(): void;
}

const RETRY_FIRST_MS = 500;
const RETRY_CAP_MS = 30_000;

export function playSeat(environment: PeerEnvironment, options: SeatOptions): SeatPlayer {
  const { session, log, acceptVolatile = false } = options;
  const peer = openSeat(environment, { session, log, acceptVolatile });
  const backoff = createBackoff(environment.random, RETRY_FIRST_MS, RETRY_CAP_MS);
  const asking = new Asking(options, environment.clock);
  /** The view that the strategy would not move on: it is asked again about another. */
  let passedOver: View | undefined;
  /** The last move: the next is asked for once the view has it. */
  let made: Ref | undefined;
  let busy = false;
  let reported = false;
  let closed = false;
  let cancel: (() => void) | undefined;
  let finish: (verdict: Verdict) => void;
  let fail: (error: Error) => void;
  const decided = new Promise<Verdict>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  decided.catch(() => undefined);

  const move = async (owed: Owed): Promise<void> => {
    const { view, verdict, wallet, turn } = peer.getSnapshot();
    if (view?.ok !== true || verdict === null || wallet === null) return;
    const answer = await asking.ask({ view, verdict, wallet, owed, left: turn.left });
    if (answer === null) passedOver = view;
    if (answer === null || closed) return;
    try {
      made =
        answer.kind === "commit"
          ? await peer.commit(answer.value)
          : await peer.append(answer.type, answer.body);
    } catch (error) {
      if (error instanceof MoveError && error.code === "would-be-ignored") asking.refuse(owed, error.message);
      throw error;
    }
  };
  /** Nobody may be here later to do it. */
  const reportFork = (verdict: Verdict): void => {
    reported = true;
    peer
      .reportFork()
      .catch((error: unknown) => options.onError?.(error))
      .finally(() => finish(verdict));
  };
  const look = (): void => {
    if (closed) return;
    options.onChange?.(peer);
    const { view, verdict, turn } = peer.getSnapshot();
    // The last move must be out before anybody closes this, and what was committed is opened as long as it may count.
    if (verdict?.ok === true && verdict.status === "decided" && !turn.busy && !isOpening(turn)) {
      if (turn.unreportedForks.length === 0 || turn.left === 0) finish(verdict);
      else if (!reported) reportFork(verdict);
    }
    // A reveal is the peer's own doing.
    const owed = turn.owes.find(({ what }) => what !== "reveal");
    if (busy || owed === undefined || turn.busy || turn.left === 0) return;
    if (view?.ok !== true || view === passedOver || (made !== undefined && !view.entries.has(made))) return;
    busy = true;
    void move(owed)
      .then(() => {
        backoff.reset();
        busy = false;
      })
      .catch((error: unknown) => {
        options.onError?.(error);
        cancel = environment.clock.after(backoff.next(), () => {
          busy = false;
          look();
        });
      });
  };
  const stop = peer.subscribe(look);
  look();
  return {
    peer,
    decided,
    close: () => {
      closed = true;
      asking.close();
      cancel?.();
      stop();
      peer.close();
      fail(new Error("the session was closed before its verdict"));
    },
  };
}

/** Whether an own commit is still to be opened, and can be. */
function isOpening({ owes, lostSalts }: Turn): boolean {
  return owes.some(({ what }) => what === "reveal") && lostSalts.length === 0;
}
