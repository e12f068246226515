// Who thinks for an agent: a module, an outside program, or chance; how long, and who moves in its stead.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { AskOptions } from "../bot/ask-strategy.ts";
import type { RandomBytes } from "../platform/random-bytes.ts";
import { randomStrategy, type Strategy } from "../bot/strategy.ts";
import type { Arguments } from "./arguments.ts";
import { Unusable, type SafeConsole } from "./console.ts";
import { Program } from "./program.ts";
import { shown } from "./source.ts";
import { errorText } from "../platform/coded-error.ts";

export const STRATEGY_VALUES = ["strategy", "program", "answer-within", "otherwise"];
export const STRATEGY_HELP = `  --strategy FILE    a module whose default export is a strategy (default: at random)
  --program COMMAND  an outside program that is asked on its standard input and answers on its
                     standard output, a line of JSON each (see docs/agents.md)
  --answer-within S  seconds that either may think about a move (default 120)
  --otherwise WHO    after three answers that cannot be played: "ask" again (default), or move at "random"`;

const ANSWER_WITHIN_S = 120;

export interface Chosen extends AskOptions {
  close(): Promise<void>;
}

/** @throws Unusable */
export async function chooseStrategy(
  given: Arguments,
  random: RandomBytes,
  console: SafeConsole,
): Promise<Chosen> {
  const file = given.value("strategy");
  const command = given.value("program");
  if (file !== undefined && command !== undefined)
    throw new Unusable("--strategy and --program: one of the two");
  const otherwise = given.value("otherwise") ?? "ask";
  if (otherwise !== "ask" && otherwise !== "random")
    throw new Unusable(`--otherwise ${shown(otherwise)}: "ask" or "random"`);
  const options = {
    answerMs: secondsOf(given.value("answer-within")) * 1000,
    ...(otherwise === "random" && { otherwise: randomStrategy(random) }),
  };
  if (command !== undefined) {
    const program = new Program(command, (text) => console.note(text));
    return { ...options, strategy: program.strategy, close: () => program.close() };
  }
  const strategy = file === undefined ? randomStrategy(random) : await load(file);
  return { ...options, strategy, close: async () => undefined };
}

function secondsOf(text: string | undefined): number {
  const seconds = text === undefined ? ANSWER_WITHIN_S : Number(text);
  if (!(seconds > 0 && seconds <= 86_400))
    throw new Unusable(`--answer-within ${shown(text ?? "")}: a number of seconds, at most a day`);
  return seconds;
}

async function load(path: string): Promise<Strategy> {
  let module: { readonly default?: unknown };
  try {
    module = (await import(pathToFileURL(resolve(path)).href)) as { readonly default?: unknown };
  } catch (error) {
    throw new Unusable(`--strategy ${shown(path)}: ${errorText(error)}`);
  }
  if (typeof module.default !== "function")
    throw new Unusable(`--strategy ${shown(path)}: its default export is no function`);
  return module.default as Strategy;
}
