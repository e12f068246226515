// How far a move is, in words: never as done before it has been read back.

import type { MoveStage, SentMove } from "../../../peer/peer.ts";

export const STAGES: readonly { readonly stage: MoveStage; readonly title: string; readonly hint: string }[] =
  [
    { stage: "signing", title: "Signing", hint: "With your key." },
    { stage: "stored", title: "Stored", hint: "Signed and kept on this machine, on its way to the Hub." },
    { stage: "read-back", title: "Read back", hint: "The Hub has given the same bytes back." },
    { stage: "seen", title: "Seen", hint: "An entry of another participant has it in its past." },
  ];

/** Index of a stage, from 0. */
export function stageIndex(stage: MoveStage): number {
  return STAGES.findIndex((one) => one.stage === stage);
}

const WORDS: Readonly<Record<string, string>> = {
  commit: "Your choice, sealed",
  reveal: "Opening your choice",
  tick: "A tick",
  vote: "Your vote",
  bid: "Your bid",
  pass: "Your pass",
};

/** What a move is, for people. */
export function formatMove({ type }: Pick<SentMove, "type">): string {
  return WORDS[type] ?? type;
}
