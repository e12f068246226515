// Differences between two views in sentences. Pure. Entries are named by the components, which link them.

import { canonicalize } from "../../core/canonical.ts";
import type { Address, Ref } from "../../core/values.ts";
import { describeVerdict, plural } from "../../games/describe.ts";
import type { Comparison, Difference, SideName, Standing } from "../../audit/compare-views.ts";

export interface FormattedDifference {
  /** The kind in two or three words. */
  readonly title: string;
  /** The sentence; entries that it is about are in `entries`. */
  readonly detail: string;
  /** Entries to link, and on which side each is to be found. */
  readonly entries: readonly { readonly ref: Ref; readonly side: SideName }[];
}

const STANDINGS: Record<Standing, string> = {
  counted: "counted",
  late: "late",
  pending: "waiting for something missing",
  outside: "not counted",
};

export function formatDifference(
  difference: Difference,
  nameOf: (wallet: Address) => string,
): FormattedDifference {
  switch (difference.kind) {
    case "missing":
      return {
        title: `Missing in ${name(difference.side)}`,
        detail:
          difference.instead === undefined
            ? `${name(other(difference.side))} has this entry, ${name(difference.side)} does not.`
            : `${name(difference.side)} has a record for this place that fails its check: ${difference.instead.rejection.code} at ${difference.instead.rejection.at}.`,
        entries: [{ ref: difference.ref, side: other(difference.side) }],
      };
    case "other-entry":
      return {
        title: "Other hash",
        detail: `For place ${difference.seq} of ${nameOf(difference.wallet)} each side has another entry, both validly signed: together they prove a fork.`,
        entries: [
          { ref: difference.a, side: "a" },
          { ref: difference.b, side: "b" },
        ],
      };
    case "other-bytes":
      return {
        title: "Other bytes",
        detail: "The same entry under another signature: its hash is the same, its bytes are not.",
        entries: [{ ref: difference.ref, side: "a" }],
      };
    case "other-order":
      return {
        title: "Other order",
        detail: "In A the first of these comes before the second; in B after it.",
        entries: [
          { ref: difference.ref, side: "a" },
          { ref: difference.other, side: "a" },
        ],
      };
    case "other-standing":
      return {
        title: "Counted otherwise",
        detail: `${STANDINGS[difference.a]} in A, ${STANDINGS[difference.b]} in B.`,
        entries: [{ ref: difference.ref, side: "a" }],
      };
    case "rejected":
      return {
        title: `Rejected in ${name(difference.side)}`,
        detail: `${name(difference.side)} has a record that is no valid entry: ${difference.record.rejection.code} at ${difference.record.rejection.at}.`,
        entries: [],
      };
    case "other-term":
      return {
        title: "Other terms",
        detail: `${difference.member}: ${valueText(difference.a)} in A, ${valueText(difference.b)} in B.`,
        entries: [],
      };
    case "other-move":
      return {
        title: `Other ${difference.what}`,
        detail: `At place ${difference.place} participant ${difference.author + 1} says something else.`,
        entries: [
          { ref: difference.a, side: "a" },
          { ref: difference.b, side: "b" },
        ],
      };
    case "other-verdict": {
      const says = [difference.a, difference.b].map((verdict) => {
        const finality = verdict.ok ? ` (${verdict.finality})` : "";
        return `${describeVerdict(verdict, nameOf)}${finality}`;
      });
      return { title: "Other verdict", detail: `A: ${says[0]} B: ${says[1]}`, entries: [] };
    }
  }
}

/** The whole comparison in one sentence. */
export function formatComparison({ sameSession, differences, same }: Comparison): string {
  const agreed = plural(same, sameSession ? "entry" : "move", sameSession ? "entries" : "moves");
  if (differences.length === 0) return `The same: ${agreed}, in the same order, with the same verdict.`;
  return `${plural(differences.length, "difference", "differences")}; ${agreed} the same.`;
}

function name(side: SideName): string {
  return side === "a" ? "A" : "B";
}

function other(side: SideName): SideName {
  return side === "a" ? "b" : "a";
}

function valueText(value: Parameters<typeof canonicalize>[0] | undefined): string {
  if (value === undefined) return "nothing";
  const text = canonicalize(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
