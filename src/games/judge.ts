// The verdict on a view: the game's resolution, its finality and its digest.

import { canonicalize, type JsonObject } from "../core/canonical.ts";
import { sha256, type Address, type Hash, type Ref } from "../core/values.ts";
import type { View } from "../core/view.ts";
import { auction } from "./auction.ts";
import { compare } from "./compare.ts";
import type { Finality, Flag, Game, Outcome, Reason, Resolution, RulesCheck, Verdict } from "./game.ts";
import { rps } from "./rps.ts";
import { vote } from "./vote.ts";

/** A game with its rules' type closed off, so that games of all kinds stand in one list. */
export interface Playable {
  readonly name: string;
  readonly moves: readonly string[];
  checkRules(rules: JsonObject, participants: readonly Address[], share: number): RulesCheck<unknown>;
  run(view: View): Resolution | (RulesCheck<never> & { readonly ok: false });
}

function playable<R>(game: Game<R>): Playable {
  return {
    name: game.name,
    moves: game.moves,
    checkRules: (rules, participants, share) => game.readRules(rules, participants, share),
    run(view) {
      const check = game.readRules(view.terms.rules, view.participants, view.share);
      return check.ok ? game.resolve(view, check.rules) : check;
    },
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
  if (view.sealed) return { ok: false, code: "sealed" };
  const game = gameOf(view.terms.game);
  if (game === undefined) return { ok: false, code: "unknown-game" };
  const resolution = game.run(view);
  if ("ok" in resolution) return { ...resolution, code: "bad-genesis" };
  const unopened = view.order
    .filter((move) => move.unopened && move.inTime)
    .map(({ ref }): Flag => ({ ref, code: "unopened" }));
  return {
    ok: true,
    status: resolution.status,
    outcome: resolution.outcome,
    waiting: resolution.waiting,
    finality: finalityOf(view, resolution),
    digest: verdictDigest(
      view.session,
      resolution.outcome,
      resolution.basis.map(({ entry }) => entry.hash),
    ),
    flags: [...unopened, ...resolution.flags],
    basis: resolution.basis.map(({ ref }) => ref),
    reasons: [...viewReasons(view, unopened), ...resolution.reasons],
    level: view.level,
  };
}

/** What would come out if the session closed now: the resolver's own answer, with nothing more to arrive. */
export function judgeIfClosed(view: View): Verdict {
  return judge({ ...view, closed: true });
}

/** SHA-256 of the canonical form of {session, outcome, entries}; `basis` holds entry hashes in any order. */
export function verdictDigest(session: Ref, outcome: Outcome | null, basis: readonly Hash[]): Hash {
  return sha256(canonicalize({ session, outcome, entries: [...basis].sort() }));
}

function finalityOf(view: View, { status, waiting }: Resolution): Finality {
  if (status === "pending") return "open";
  if (view.members.some(({ fault, gap }) => fault !== null && gap !== null)) return "settled";
  const held = new Set(view.pending.map(({ entry }) => entry.wallet));
  const silent = waiting.every((wallet) => {
    const { fault, spent, gap } = view.members[view.participants.indexOf(wallet)]!;
    return fault !== null || (spent && gap === null && !held.has(wallet));
  });
  return silent ? "final" : "settled";
}

/** What the view itself adds to the explanation: forks, late entries, bodies that do not open. */
function viewReasons(view: View, unopened: readonly Flag[]): Reason[] {
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
  const late = view.members.flatMap(({ wallet }, author): Reason[] => {
    const entries = view.order.filter((move) => move.author === author && !move.inTime).map(({ ref }) => ref);
    return entries.length === 0 ? [] : [{ code: "late", wallet, entries }];
  });
  const closed = unopened.map(({ ref, code }): Reason => ({ code: "ignored", entries: [ref], flag: code }));
  return [...forks, ...late, ...closed];
}
