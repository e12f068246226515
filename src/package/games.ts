// Public entry `coop-explorer/games`: the four games, the judge, and what a game of one's own is built from.

/**
 * From a view to a verdict: pure resolvers, the judge that picks one, and the sentences that explain a verdict. A game of
 * your own is a {@link Game}; what its resolver must guarantee is in docs/protocol.md, from rule R1 on.
 *
 * @example
 * const view = buildView(records, session, { check: checkPlain });
 * if (view.ok) console.log(describeVerdict(judge(view), checksumAddress));
 *
 * @module games
 */

export { FLAG_CODES, REASON_CODES } from "../games/game.ts";
export type {
  BadRules,
  Finality,
  Flag,
  FlagCode,
  Game,
  Outcome,
  Reason,
  ReasonCode,
  Resolution,
  RulesCheck,
  Verdict,
} from "../games/game.ts";
export { gameOf, GAMES, judge, judgeIfClosed, judgeSteps, verdictDigest } from "../games/judge.ts";
export type { Playable } from "../games/judge.ts";
export { rps, RPS_VALUES } from "../games/rps.ts";
export type { RpsRules, RpsValue } from "../games/rps.ts";
export { vote } from "../games/vote.ts";
export type { VoteRules } from "../games/vote.ts";
export { auction } from "../games/auction.ts";
export type { AuctionRules } from "../games/auction.ts";
export { compare } from "../games/compare.ts";
export type { CompareRules } from "../games/compare.ts";
export {
  commitBody,
  commitmentOf,
  liveOf,
  movesSeen,
  revealBody,
  walkRound,
} from "../games/commit-reveal.ts";
export type { Commitment, Opening, Round, RoundRules } from "../games/commit-reveal.ts";
export { applyDefault, closedReasons, owedReasons, walletsOf } from "../games/default-outcome.ts";
export {
  describeCompleteness,
  describeFinality,
  describeFlag,
  describeGap,
  describeNoView,
  describeOutcome,
  describeReason,
  describeVerdict,
} from "../games/describe.ts";
export type { NameOf } from "../games/describe.ts";
