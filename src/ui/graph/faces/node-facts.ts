// A node in words: who did what, whether it counts and why. The card, the screen reader and the table read the same. Pure.

import type { Address } from "../../../core/values.ts";
import { stateOf, walletOf, type SessionGraph } from "../model/session-graph.ts";
import type { Face, Faces } from "./faces.ts";

export interface NodeFacts {
  readonly wallet: Address | null;
  /** "sealed a move", "bid 80": a verb and what it is about; holds strangers' text. */
  readonly did: string;
  /** "Counts", "Ignored: its author had already voted"; empty where there is nothing to say. */
  readonly counts: string;
  /** "Won round 2". */
  readonly won: string;
  readonly round: number | null;
}

export function factsOf(graph: SessionGraph, node: number, faces: Faces): NodeFacts {
  const face = faces.of(graph, node);
  const round = faces.rounds ? face.round : null;
  return {
    wallet: walletOf(graph, node),
    did: didOf(graph, node, face),
    counts: countsOf(face),
    won: !face.wins ? "" : round === null ? "Won" : `Won round ${round}`,
    round,
  };
}

function didOf(graph: SessionGraph, node: number, { text, sealed }: Face): string {
  const size = graph.size[node]!;
  if (size > 1) return `wrote ${size} entries in a row`;
  const type = graph.types[node]!;
  if (stateOf(graph, node) === "missing") return "wrote an entry that is missing here";
  if (sealed) return text === "" ? "sealed a move" : `sealed a move: ${text}`;
  return VERBS.get(type)?.(text) ?? `wrote “${type}”`;
}

const VERBS = new Map<string, (text: string) => string>([
  ["genesis", () => "started a session"],
  ["invite", () => "invited"],
  ["accept", () => "accepted the invitation"],
  ["tick", () => "wrote an entry without a move (tick)"],
  ["evidence", () => "reported a fork, with both signed versions"],
  ["reveal", (text) => `opened: ${text}`],
  ["vote", (text) => `voted: ${text}`],
  ["bid", (text) => `bid ${text}`],
  ["pass", () => "passed"],
]);

function countsOf({ standing, why }: Face): string {
  const because = why === "" ? "" : `: ${why}`;
  switch (standing) {
    case "counts":
      return "Counts";
    case "ignored":
      return `Does not count${because}`;
    case "waiting":
      return why === "" ? "Does not count yet" : `Not counted${because}`;
    case "neutral":
      return "";
  }
}

/** The facts as sentences, with names. */
export function describeFacts(
  { wallet, did, counts, won }: NodeFacts,
  nameOf: (wallet: Address) => string,
): string {
  const who = wallet === null ? "A wallet outside the session" : nameOf(wallet);
  return [`${who} ${did}`, counts, won].filter(Boolean).join(". ") + ".";
}
