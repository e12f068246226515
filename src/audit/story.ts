// What happened in a session, one line after another: who did what, what counted, what was ignored and why, and how it
// ended. A pure projection of a view and its verdict; `describeStoryLine` makes each line a sentence.

import type { Steps } from "../core/steps.ts";
import { own } from "../core/canonical.ts";
import type { Address, Ref } from "../core/values.ts";
import type { Move, View } from "../core/view.ts";
import { roundResults, type RoundResult } from "../games/round-results.ts";
import type { Verdict } from "../games/game.ts";
import { asideLines, pendingLines, startLines } from "./story-asides.ts";
import { createFlagDetails } from "./story-flags.ts";
import { actOf, type MoveFact, type StoryFact, type StoryLine } from "./story-line.ts";

/** Moves looked at in one step. */
const STEP = 512;

/** The story of a view, as far as it goes. */
export function* storySteps(view: View, verdict: Verdict): Steps<readonly StoryLine[]> {
  const flags = new Map(verdict.ok ? verdict.flags.map(({ ref, code }) => [ref, code] as const) : []);
  const rounds = verdict.ok ? roundResults(view, verdict) : new Map<Ref, RoundResult>();
  const detailOf = createFlagDetails(view);
  const copies = createCopyFinder();
  const lines: StoryLine[] = [...startLines(view)];
  const asides = asideLines(view);
  let next = 0;
  for (const [i, move] of view.order.entries()) {
    while (next < asides.length && asides[next]!.at <= i) lines.push(asides[next++]!);
    const flag = flags.get(move.ref);
    const ignored = flag === undefined ? null : { flag, ...detailOf(move, flag) };
    if (flag === undefined) detailOf(move, undefined);
    const fact = {
      ...moveFact(view, move),
      copyOf: copies(move),
      ignored,
      round: rounds.get(move.ref) ?? null,
    };
    lines.push({ entries: [move.ref], at: i + 1, fact });
    if (i % STEP === 0) yield;
  }
  lines.push(...asides.slice(next), ...pendingLines(view), ...endLines(view, verdict));
  return lines;
}

/** Takes the moves in order: whose commitment a commit repeats, or null. */
function createCopyFinder(): (move: Move) => Address | null {
  const owners = new Map<string, Address>();
  return ({ entry, body }) => {
    const commitment = own(body, "commitment");
    if (entry.type !== "commit" || typeof commitment !== "string") return null;
    const owner = owners.get(commitment);
    if (owner === undefined) owners.set(commitment, entry.wallet);
    return owner === undefined || owner === entry.wallet ? null : owner;
  };
}

function moveFact(view: View, { entry, author, place, inTime, body }: Move): MoveFact {
  const { share } = view;
  return {
    kind: "move",
    wallet: view.participants[author]!,
    ...actOf(view, entry.type, body),
    type: entry.type,
    copyOf: null,
    ignored: null,
    late: inTime ? null : place,
    share,
    closes: place === share,
    waits: false,
    round: null,
  };
}

/** Who owes what, what applies for that, the result, and what it rests on. */
function endLines(view: View, verdict: Verdict): StoryLine[] {
  const at = view.order.length;
  const line = (fact: StoryFact, entries: readonly string[] = []): StoryLine => ({ entries, at, fact });
  if (!verdict.ok) return [line({ kind: "result", verdict })];
  const members = new Map(view.members.map((member) => [member.wallet, member]));
  const owed = verdict.reasons.flatMap(({ code, wallet, what }) =>
    code === "owed" && wallet !== undefined
      ? [
          line({
            kind: "owed",
            wallet,
            what: what ?? "move",
            joined: members.get(wallet)?.joined === true,
            hasGap: members.get(wallet)?.gap != null,
            closed: view.closed,
          }),
        ]
      : [],
  );
  const isDefault = verdict.reasons.some(({ code }) => code === "default-applied");
  return [
    ...owed,
    ...(isDefault && verdict.outcome !== null ? [line({ kind: "default", outcome: verdict.outcome })] : []),
    line({ kind: "result", verdict }, verdict.basis),
    ...(verdict.status === "decided" ? [line({ kind: "rests", verdict }, verdict.basis)] : []),
  ];
}
