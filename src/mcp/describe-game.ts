// What a caller reads of a game: sentences, and the same as data. What other wallets have written stands between marks in
// the sentences, and under `untrusted` in the data. Pure.

import type { Json, JsonObject } from "../core/canonical.ts";
import { checksumAddress, type Address, type Ref } from "../core/values.ts";
import type { Move, View } from "../core/view.ts";
import {
  describeFinality,
  describeNoView,
  describeReason,
  describeVerdict,
  inSentence,
} from "../games/describe.ts";
import type { NameOf } from "../games/describe.ts";
import type { Outcome, Reason, Verdict } from "../games/game.ts";
import { sessionNames } from "../names/session-names.ts";
import { skeletonOf } from "../names/skeleton.ts";
import type { PeerSnapshot } from "../peer/peer.ts";
import { markedText, untrusted } from "../platform/inert.ts";
import type { GameSnapshot } from "./game.ts";
import { describeLegalMoves, legalMoves, schemasOf } from "./legal-moves.ts";

export interface Described {
  readonly sentences: readonly string[];
  readonly data: JsonObject;
}

/** So many of the newest moves are told. */
export const MAX_MOVES_TOLD = 200;

/** How a caller knows where it stands, without reading the rest. */
export type GameStatus = "waiting for players" | "your move" | "waiting" | "decided" | "final" | "failed";

export function namesIn(participants: readonly Address[], me: Address | null): NameOf {
  return sessionNames({ participants, me, skeletonOf }).nameOf;
}

export function describeGame(game: GameSnapshot, me: Address, joinUrl: (invite: Ref) => string): Described {
  const { seat, stage } = game;
  if (seat === null) return describeWaiting(game, me, joinUrl);
  const snapshot = seat.getSnapshot();
  const { view } = snapshot;
  if (view?.ok === true) return describePlaying(game, snapshot, view);
  const why =
    view === null
      ? "The session is being read from the Hub."
      : describeNoView(view.code, view.why?.at, view.why?.expected);
  return {
    sentences: [why, ...problemsOf(game, snapshot)],
    data: { ...headData(game), status: stage === "failed" ? "failed" : "waiting", legal_moves: [] },
  };
}

function headData({ id, session, role }: GameSnapshot): JsonObject {
  return { game_id: session ?? id, session, role };
}

function describeWaiting(game: GameSnapshot, me: Address, joinUrl: (invite: Ref) => string): Described {
  const { id, instead, role, stage, offer, accept, problem } = game;
  const invite = instead ?? id;
  const says =
    stage === "failed"
      ? "The game did not begin."
      : role === "host" && instead === null
        ? `Waiting for a guest. Send it this link: ${joinUrl(invite)}`
        : "Accepted. The game begins once its host has seen that.";
  return {
    sentences: [says, ...(problem === null ? [] : [`Problem: ${markedText(problem)}`])],
    data: {
      ...headData(game),
      status: (stage === "failed" ? "failed" : "waiting for players") satisfies GameStatus,
      invite,
      join_link: joinUrl(invite),
      accept,
      participants: [participantData(me, "You", true)],
      offer: offer === null ? null : untrusted({ ...offer, default_outcome: { ...offer.default_outcome } }),
      legal_moves: [],
    },
  };
}

function describePlaying(game: GameSnapshot, snapshot: PeerSnapshot, view: View): Described {
  const { wallet, verdict, turn } = snapshot;
  const nameOf = namesIn(view.participants, wallet);
  const legal = legalMoves(snapshot);
  const status = statusOf(snapshot, legal.length > 0);
  const players = view.participants.map((one) => `${nameOf(one)} (${checksumAddress(one)})`);
  return {
    sentences: [
      `Game of ${markedText(view.terms.game)} between ${players.join(" and ")}.`,
      ...(verdict === null ? [] : verdictSentences(verdict, nameOf)),
      statusSentence(status, snapshot, nameOf),
      ...(legal.length > 0 ? [`Legal moves: ${describeLegalMoves(legal)}.`] : []),
      ...problemsOf(game, snapshot),
    ],
    data: {
      ...headData(game),
      status,
      participants: view.participants.map((one) => participantData(one, nameOf(one), one === wallet)),
      game: untrusted(view.terms.game),
      title: view.terms.title === undefined ? null : untrusted(view.terms.title),
      rules: untrusted(view.terms.rules),
      legal_moves: schemasOf(view.session, legal),
      legal_values: Object.fromEntries(
        legal.flatMap(({ kind, value }) =>
          value?.form === "listed"
            ? [[kind, value.values.map((one) => ({ value: one.value, plays: untrusted(one.plays) }))]]
            : [],
        ),
      ),
      waiting_for: turn.waitingFor.map(nameOf),
      entries: { share: view.share, left: turn.left },
      moves: movesData(view, verdict, nameOf),
      earlier_moves: Math.max(0, view.order.length - MAX_MOVES_TOLD),
      verdict: verdict === null ? null : verdictData(verdict),
    },
  };
}

export function participantData(wallet: Address, name: string, isYou: boolean): JsonObject {
  return { address: checksumAddress(wallet), name, you: isYou };
}

function statusOf({ verdict, turn }: PeerSnapshot, canMove: boolean): GameStatus {
  if (verdict?.ok === true && verdict.finality === "final") return "final";
  if (canMove) return "your move";
  return verdict?.ok === true && verdict.status === "decided" && !turn.busy ? "decided" : "waiting";
}

function statusSentence(status: GameStatus, { turn }: PeerSnapshot, nameOf: NameOf): string {
  switch (status) {
    case "your move":
      return `It is your move. You have ${turn.left} entries left.`;
    case "waiting":
      if (turn.busy) return "Your move is on its way to the Hub.";
      return turn.waitingFor.length === 0
        ? "Nothing to do now."
        : `Waiting for ${turn.waitingFor.map((one) => inSentence(nameOf(one))).join(", ")}.`;
    default:
      return "There is nothing more to do.";
  }
}

function problemsOf({ problem }: GameSnapshot, { notes, moves, turn }: PeerSnapshot): string[] {
  const failed = moves.flatMap((move) => (move.problem === null ? [] : [move.problem]));
  const lost =
    turn.lostSalts.length > 0 ? ["a sealed move cannot be opened: its salt is not in this folder"] : [];
  const texts = [
    ...(problem === null ? [] : [problem]),
    ...failed,
    ...lost,
    ...notes.map(({ text }) => text),
  ];
  return [...new Set(texts)].slice(0, 5).map((text) => `Problem: ${markedText(text)}`);
}

/** Result, what it means, and why, with what was played between marks. */
export function verdictSentences(verdict: Verdict, nameOf: NameOf): readonly string[] {
  if (!verdict.ok) return [describeVerdict(verdict, nameOf)];
  const marked = { ...verdict, outcome: markedOutcome(verdict.outcome) };
  const says = describeVerdict(marked, nameOf);
  const finality = verdict.status === "decided" ? [describeFinality(verdict, nameOf)] : [];
  return [
    says,
    ...finality,
    ...verdict.reasons.slice(-20).map((reason) => describeReason(markedReason(reason), nameOf)),
  ];
}

function markedReason(reason: Reason): Reason {
  return reason.code === "counted" && reason.value !== undefined
    ? { ...reason, value: markedText(reason.value) }
    : reason;
}

/** Choices of an outcome are texts of the rules; its other members are wallets, numbers and words of our own. */
function markedOutcome(outcome: Outcome | null): Outcome | null {
  if (outcome === null) return null;
  const mark = (value: Json): Json => (typeof value === "string" ? markedText(value) : value);
  return {
    ...outcome,
    ...("choice" in outcome && { choice: mark(outcome["choice"]) }),
    ...(Array.isArray(outcome["choices"]) && { choices: (outcome["choices"] as readonly Json[]).map(mark) }),
  };
}

export function verdictData(verdict: Verdict): JsonObject {
  if (!verdict.ok) return { error: verdict.code };
  const { status, outcome, finality, digest } = verdict;
  return { status, outcome: outcome === null ? null : untrusted(outcome), finality, digest };
}

function movesData(view: View, verdict: Verdict | null, nameOf: NameOf): Json[] {
  const flags = new Map(verdict?.ok === true ? verdict.flags.map(({ ref, code }) => [ref, code]) : []);
  return view.order.slice(-MAX_MOVES_TOLD).map(({ ref, entry, body, inTime }: Move) => ({
    ref,
    by: nameOf(entry.wallet),
    type: untrusted(entry.type),
    body: untrusted(body),
    ignored: inTime ? (flags.get(ref) ?? null) : "late",
  }));
}
