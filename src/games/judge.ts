// The verdict on a view: the game's resolution, its finality and its digest.

import { canonicalize, type JsonObject } from "../core/canonical.ts";
import { finish, sortSteps, type Steps } from "../core/steps.ts";
import { ok, type Result } from "../core/result.ts";
import { sha256Steps, type Address, type Hash, type Ref } from "../core/values.ts";
import type { View } from "../core/view.ts";
import { auction } from "./auction.ts";
import { compare } from "./compare.ts";
import type {
  BadRules,
  Finality,
  Flag,
  Game,
  Outcome,
  Reason,
  Resolution,
  RulesCheck,
  Verdict,
} from "./game.ts";
import { rps } from "./rps.ts";
import { vote } from "./vote.ts";

/** A game with its rules' type closed off, so that games of all kinds stand in one list. */
export interface Playable {
  readonly name: string;
  readonly moves: readonly string[];
  checkRules(rules: JsonObject, participants: readonly Address[], share: number): RulesCheck<unknown>;
  run(view: View): Steps<Result<Resolution, BadRules>>;
  readonly label: (type: string, body: JsonObject) => string | null;
  readonly roundOf?: (body: JsonObject) => number | null;
}

function playable<R>(game: Game<R>): Playable {
  return {
    name: game.name,
    moves: game.moves,
    checkRules: (rules, participants, share) => game.readRules(rules, participants, share),
    *run(view) {
      const check = game.readRules(view.terms.rules, view.participants, view.share);
      return check.ok ? ok(yield* game.resolve(view, check.value)) : check;
    },
    label: game.label,
    ...(game.roundOf !== undefined && { roundOf: game.roundOf }),
  };
}

export const GAMES: readonly Playable[] = [
  playable(rps),
  playable(vote),
  playable(auction),
  playable(compare),
];

export function gameOf(name: string): Playable | undefined {
  return GAMES.find((game) => game.name === name);
}

/** The verdict of a view. Pure: the same view, the same verdict, for every observer. */
export function judge(view: View): Verdict {
  return finish(judgeSteps(view));
}

/** The same in steps. */
export function* judgeSteps(view: View): Steps<Verdict> {
  if (view.sealed) return { ok: false, code: "sealed" };
  const game = gameOf(view.terms.game);
  if (game === undefined) return { ok: false, code: "unknown-game" };
  const run = yield* game.run(view);
  if (!run.ok) return { ok: false, code: "bad-genesis", ...run.error };
  const resolution = run.value;
  yield;
  const { unopened, late } = yield* apartSteps(view);
  const basis = resolution.basis.map(({ entry }) => entry.hash);
  return {
    ok: true,
    status: resolution.status,
    outcome: resolution.outcome,
    waiting: resolution.waiting,
    finality: finalityOf(view, resolution),
    digest: yield* digestSteps(view.session, resolution.outcome, basis),
    flags: [...unopened, ...resolution.flags],
    basis: resolution.basis.map(({ ref }) => ref),
    reasons: [...viewReasons(view, unopened, late), ...resolution.reasons],
    level: view.level,
  };
}

/** What would come out if the session closed now: the resolver's own answer, with nothing more to arrive. */
export function judgeIfClosed(view: View): Verdict {
  return judge({ ...view, closed: true });
}

/** SHA-256 of the canonical form of {session, outcome, entries}; `basis` holds entry hashes in any order. */
export function verdictDigest(session: Ref, outcome: Outcome | null, basis: readonly Hash[]): Hash {
  return finish(digestSteps(session, outcome, basis));
}

/** Hashes written, and moves looked at, in one step. */
const STEP = 2048;

function* digestSteps(session: Ref, outcome: Outcome | null, basis: readonly Hash[]): Steps<Hash> {
  const sorted = yield* sortSteps(basis, (a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return yield* sha256Steps(digestText(session, outcome, sorted));
}

/** The canonical form in parts: the list of entries may be long, and stands first. */
function* digestText(session: Ref, outcome: Outcome | null, entries: readonly Hash[]): Generator<string> {
  yield '{"entries":[';
  for (let start = 0; start < entries.length; start += STEP)
    yield (start === 0 ? "" : ",") + canonicalize(entries.slice(start, start + STEP)).slice(1, -1);
  yield `],${canonicalize({ outcome, session }).slice(1)}`;
}

interface Apart {
  /** In time, and its body did not open. */
  readonly unopened: readonly Flag[];
  /** What came after the share, by author. */
  readonly late: readonly (readonly Ref[])[];
}

function* apartSteps(view: View): Steps<Apart> {
  const unopened: Flag[] = [];
  const late: Ref[][] = view.members.map(() => []);
  for (const [i, move] of view.order.entries()) {
    if (!move.inTime) late[move.author]!.push(move.ref);
    else if (move.unopened) unopened.push({ ref: move.ref, code: "unopened" });
    if (i % STEP === 0) yield;
  }
  return { unopened, late };
}

/** R5. A wallet whose whole share is in the order has nothing left that could count, whatever else arrives. */
function finalityOf(view: View, { status, waiting }: Resolution): Finality {
  if (status === "pending") return "open";
  if (view.members.some(({ fault, gap }) => fault !== null && gap !== null)) return "settled";
  const inTime = view.members.map(() => 0);
  for (const move of view.order) if (move.inTime) inTime[move.author]!++;
  const noneCanCount = waiting.every((wallet) => {
    const author = view.participants.indexOf(wallet);
    return view.members[author]!.fault !== null || inTime[author] === view.share;
  });
  return noneCanCount ? "final" : "settled";
}

/** What the view itself adds to the explanation: forks, late entries, bodies that do not open. */
function viewReasons(view: View, unopened: readonly Flag[], late: Apart["late"]): Reason[] {
  const forks = view.members.flatMap(({ wallet, fault }): Reason[] =>
    fault === null
      ? []
      : [
          {
            code: "disqualified",
            wallet,
            entries: fault.versions.map(({ ref }) => ref),
            value: String(fault.seq),
          },
        ],
  );
  const overdue = view.members.flatMap(({ wallet }, author): Reason[] => {
    const entries = late[author]!;
    return entries.length === 0 ? [] : [{ code: "late", wallet, entries }];
  });
  const closed = unopened.map(({ ref, code }): Reason => ({ code: "ignored", entries: [ref], flag: code }));
  return [...forks, ...overdue, ...closed];
}
