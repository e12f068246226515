// What a node of the graph says: its value, whether it counts and why not, whether it won, and its round. Pure; a node's
// face is made when it is asked for, from marks that are made once a verdict.

import { isObject, own, parseJson, type JsonObject } from "../../../core/canonical.ts";
import { finish, type Steps } from "../../../core/steps.ts";
import type { Address, Ref } from "../../../core/values.ts";
import type { Member, Move, RejectedRecord, View } from "../../../core/view.ts";
import { describeFlag } from "../../../games/describe.ts";
import { markSteps, type EntryMark } from "../../../games/entry-marks.ts";
import type { Verdict } from "../../../games/game.ts";
import { gameOf, type Playable } from "../../../games/judge.ts";
import { stateOf, type NodeState, type SessionGraph } from "../model/session-graph.ts";

/** `counts`: the verdict rests on it; `ignored`: it has no effect; `waiting`: it may yet count; `neutral`: no move. */
export type Standing = "counts" | "ignored" | "waiting" | "neutral";

export interface Face {
  /** What it says: "Rock", "80", "yes", or a word for what it is ("Start", "Tick"); empty for a sealed move. */
  readonly text: string;
  /** A commit: its value is sealed in it. */
  readonly sealed: boolean;
  readonly standing: Standing;
  /** Why it does not count, as a clause without its subject; empty where there is nothing to say. */
  readonly why: string;
  readonly wins: boolean;
  /** Of games with rounds. */
  readonly round: number | null;
}

/** What occurs among the entries, for the legend. */
export interface Occurring {
  readonly counts: boolean;
  readonly wins: boolean;
  readonly sealed: boolean;
  readonly ignored: boolean;
  readonly waiting: boolean;
}

/** Faces of the nodes of a graph, and of any graph folded from it. */
export interface Faces {
  /** Whether the game has rounds, more than one of them played. */
  readonly rounds: boolean;
  readonly occurs: Occurring;
  of(graph: SessionGraph, node: number): Face;
}

interface Context {
  readonly view: View;
  readonly verdict: Verdict;
  readonly game: Playable | undefined;
  readonly marks: ReadonlyMap<Ref, EntryMark>;
  readonly rejected: ReadonlyMap<string, RejectedRecord>;
  readonly members: ReadonlyMap<Address, Member>;
}

export function buildFaces(view: View, verdict: Verdict): Faces {
  return finish(faceSteps(view, verdict));
}

/** @param verdict the one that is shown; at a cut not the one of the whole view */
export function* faceSteps(view: View, verdict: Verdict): Steps<Faces> {
  const game = gameOf(view.terms.game);
  const marks = yield* markSteps(verdict);
  const context: Context = {
    view,
    verdict,
    game,
    marks,
    rejected: new Map(view.rejected.map((record) => [`record:${record.hash}`, record])),
    members: new Map(view.members.map((member) => [member.wallet, member])),
  };
  const made = new Map<string, Face>();
  return {
    rounds: game?.roundOf !== undefined && hasSecondRound(view, game),
    occurs: yield* occurringSteps(context),
    of(graph, node) {
      const key = graph.keys[node]!;
      const known = made.get(key);
      if (known !== undefined) return known;
      const face = faceOf(context, graph, node);
      made.set(key, face);
      return face;
    },
  };
}

/** Entries looked at in one step. */
const STEP = 4096;

function* occurringSteps({ view, verdict, game, marks }: Context): Steps<Occurring> {
  const occurs = { counts: false, wins: false, sealed: false, ignored: false, waiting: false };
  for (const [i, { ref, entry, inTime }] of view.order.entries()) {
    if (i % STEP === 0) yield;
    const mark = marks.get(ref);
    if (game?.moves.includes(entry.type) !== true) continue;
    if (view.sealed || entry.type === "commit") occurs.sealed = true;
    if (mark?.counted === true) occurs.counts = true;
    else if (mark?.flag != null) occurs.ignored = true;
    else if (inTime && verdict.ok && entry.type !== "pass") occurs.waiting = true;
    if (mark?.wins === true) occurs.wins = true;
  }
  return occurs;
}

function hasSecondRound({ order, sealed }: View, { moves, roundOf }: Playable): boolean {
  return !sealed && order.some(({ entry, body }) => moves.includes(entry.type) && (roundOf!(body) ?? 1) > 1);
}

function faceOf(context: Context, graph: SessionGraph, node: number): Face {
  const { game, view, marks } = context;
  const state = stateOf(graph, node);
  const type = graph.types[node]!;
  const key = graph.keys[node]!;
  const body = bodyOf(context, graph, node);
  const isMove = game?.moves.includes(type) === true;
  const mark = marks.get(key as Ref);
  const { standing, why } = standingOf(context, graph, node, { state, isMove, mark });
  const label = isMove && body !== null && state !== "missing" ? labelOf(game, type, body) : undefined;
  return {
    text: textOf({ type, state, label, mark, game }),
    sealed: state !== "missing" && isMove && (label === null || view.sealed),
    standing,
    why,
    wins: mark?.wins === true,
    round: isMove && body !== null ? (game.roundOf?.(body) ?? null) : null,
  };
}

/** A record that is no entry may hold what has no canonical form. */
function labelOf(game: Playable, type: string, body: JsonObject): string | null | undefined {
  try {
    return game.label(type, body);
  } catch {
    return undefined;
  }
}

interface Said {
  readonly type: string;
  readonly state: NodeState;
  /** What the game says of it; null: sealed; undefined: no move of the game, or its body is not known. */
  readonly label: string | null | undefined;
  readonly mark: EntryMark | undefined;
  readonly game: Playable | undefined;
}

function textOf({ type, state, label, mark, game }: Said): string {
  if (state === "missing") return "?";
  if (typeof label === "string") return label;
  if (label === null)
    return mark?.value == null ? "" : (game?.label("reveal", { value: mark.value }) ?? mark.value);
  return WORDS.get(type) ?? type;
}

const WORDS = new Map([
  ["genesis", "Start"],
  ["invite", "Invite"],
  ["accept", "Accept"],
  ["tick", "Tick"],
  ["evidence", "Proof"],
  ["commit", "Sealed"],
  ["reveal", "Opening"],
  ["vote", "Vote"],
  ["bid", "Bid"],
  ["pass", "Pass"],
]);

/** The body that the game reads; of what is no move of the session, the one it was written with. */
function bodyOf({ view }: Context, graph: SessionGraph, node: number): JsonObject | null {
  const move = moveOf(view, graph, node);
  if (move !== undefined) return view.sealed || move.unopened ? null : move.body;
  const wire = graph.wires[node];
  if (wire === null || wire === undefined || view.sealed) return null;
  const value = parseJson(wire);
  const body = isObject(value) ? own(value, "body") : undefined;
  return isObject(body) ? body : null;
}

function moveOf({ order }: View, graph: SessionGraph, node: number): Move | undefined {
  const move = order[graph.appears[node]! - 1];
  return move?.ref === graph.keys[node] ? move : undefined;
}

interface Known {
  readonly state: NodeState;
  readonly isMove: boolean;
  readonly mark: EntryMark | undefined;
}

type Judged = Pick<Face, "standing" | "why">;

function standingOf(context: Context, graph: SessionGraph, node: number, known: Known): Judged {
  const { view, verdict, members } = context;
  const { state, isMove, mark } = known;
  const entry = graph.entries[node];
  switch (state) {
    case "missing":
      return { standing: "waiting", why: "others refer to it, but it is not among the records" };
    case "failed":
      return { standing: "ignored", why: describeRejected(context.rejected.get(graph.keys[node]!)) };
    case "unchecked":
      return { standing: "waiting", why: "its signature has not been checked" };
    case "void":
      return { standing: "ignored", why: "its author signed two versions of one entry: a fork" };
    case "pending":
      return { standing: "waiting", why: "it rests on an entry that is missing" };
    case "late":
      return { standing: "ignored", why: `its author had used up its share of ${view.share} entries` };
    case "outside":
      return isMove && entry !== null && entry !== undefined && !entry.refs.includes(view.session)
        ? { standing: "ignored", why: "it belongs to another session" }
        : { standing: "neutral", why: "" };
    case "passed":
      break;
  }
  if (mark?.counted === true) return { standing: "counts", why: "" };
  if (mark?.flag != null) return { standing: "ignored", why: describeFlag(mark.flag) };
  if (!isMove || !verdict.ok) return { standing: "neutral", why: "" };
  if (entry != null && members.get(entry.wallet)?.fault != null)
    return { standing: "ignored", why: "its author forked its log, so none of its entries count" };
  if (entry?.type === "pass") return { standing: "counts", why: "" };
  if (verdict.status === "pending") return { standing: "waiting", why: "" };
  return {
    standing: "waiting",
    why: entry?.type === "commit" ? "never opened" : "the result did not need it",
  };
}

function describeRejected(record: RejectedRecord | undefined): string {
  if (record === undefined) return "it failed a check";
  const { code, at, expected } = record.rejection;
  if (code === "wrong-signer" || code === "bad-signature")
    return "its bytes are not what its author signed: the signature does not fit";
  return `it failed a check: at ${at}, expected ${expected}`;
}

/** Faces while those of the verdict are still being made: each says what type of entry it is. */
export const PLAIN_FACES: Faces = {
  rounds: false,
  occurs: { counts: false, wins: false, sealed: false, ignored: false, waiting: false },
  of: (graph, node) => ({
    text: WORDS.get(graph.types[node]!) ?? graph.types[node]!,
    sealed: false,
    standing: "neutral",
    why: "",
    wins: false,
    round: null,
  }),
};
