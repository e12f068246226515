// Asks a strategy for the move that is owed: for so long and no longer, and its answer is checked. What was refused
// it is told when it is asked again; after so many refusals another strategy may move in its stead.

import { readAnswer } from "./check-answer.ts";
import type { Clock } from "../platform/clock.ts";
import type { Owed } from "../peer/peer.ts";
import type { Answer, Situation, Strategy } from "./strategy.ts";
import { errorText } from "../platform/coded-error.ts";

export interface AskOptions {
  readonly strategy: Strategy;
  /** Ms that it may think; default: as long as it likes. */
  readonly answerMs?: number;
  /** Asked instead once the strategy was refused so often for one move; default: the strategy is asked again and again. */
  readonly otherwise?: Strategy;
}

/** Refusals of one move before `otherwise` is asked. */
export const MAX_REFUSALS = 3;

/** A strategy gave no answer, or none that can be played. The message is fit for people and for the strategy. */
export class StrategyError extends Error {
  override readonly name = "StrategyError";
}

export class Asking {
  readonly #options: AskOptions;
  readonly #clock: Clock;
  #refusals = { move: "", times: 0, why: null as string | null };
  #abort: AbortController | undefined;

  constructor(options: AskOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** @throws StrategyError, which counts as a refusal */
  async ask(situation: Omit<Situation, "refused" | "signal">): Promise<Answer | null> {
    const { owed, view } = situation;
    const move = nameOf(owed);
    if (move !== this.#refusals.move) this.#refusals = { move, times: 0, why: null };
    const { strategy, otherwise } = this.#options;
    const isOut = otherwise !== undefined && this.#refusals.times >= MAX_REFUSALS;
    const abort = (this.#abort = new AbortController());
    try {
      const asked = { ...situation, refused: this.#refusals.why, signal: abort.signal };
      const reading = readAnswer(await this.#within(isOut ? otherwise : strategy, asked), owed, view);
      if (!reading.ok) throw new StrategyError(reading.why);
      return reading.answer;
    } catch (error) {
      const why = errorText(error);
      this.refuse(owed, why);
      throw new StrategyError(`the strategy's answer to ${move} is not played: ${why}`, { cause: error });
    } finally {
      abort.abort();
    }
  }

  /** The game would not count what it answered. */
  refuse(owed: Owed, why: string): void {
    this.#refusals = { move: nameOf(owed), times: this.#refusals.times + 1, why };
  }

  /** Nobody waits any more. */
  close(): void {
    this.#abort?.abort();
  }

  #within(strategy: Strategy, situation: Situation): Promise<unknown> {
    const { answerMs } = this.#options;
    const answer = Promise.resolve().then(() => strategy(situation));
    return new Promise((resolve, reject) => {
      const stop =
        answerMs === undefined
          ? undefined
          : this.#clock.after(answerMs, () =>
              reject(new StrategyError(`no answer within ${answerMs / 1000} s`)),
            );
      answer.then(resolve, reject).finally(stop);
    });
  }
}

function nameOf({ what, round }: Owed): string {
  return `${what} ${round}`;
}
