// An outside program that plays: started once, asked by a line of JSON on its standard input, heard by a line on its
// standard output. It is not trusted: what it says is bounded and matched to its question, and a strategy's answer is
// checked by whoever asked. A program that ends is started again by the next question.

import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { isObject, own, parseJson, type Json } from "../core/canonical.ts";
import type { Situation, Strategy } from "../bot/strategy.ts";
import { questionOf } from "./question.ts";

/** Longest line of an answer, in UTF-16 code units. */
const MAX_LINE = 65_536;
const STOP_MS = 2_000;

interface Waiting {
  readonly resolve: (answer: Json) => void;
  readonly reject: (error: Error) => void;
}

interface Run {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly ended: Promise<void>;
}

export class Program {
  readonly #command: string;
  readonly #note: (text: string) => void;
  readonly #waiting = new Map<number, Waiting>();
  #run: Run | undefined;
  #next = 1;

  /** `command` goes to the shell, as in a terminal; its standard error is ours. */
  constructor(command: string, note: (text: string) => void) {
    this.#command = command;
    this.#note = note;
  }

  /** Rejects where the program ended, or said what is no answer. */
  readonly strategy: Strategy = (situation) =>
    // What it says is looked at by whoever asked; no type holds for it here.
    this.#ask(situation) as ReturnType<Strategy>;

  /** Ends its input and waits for its end; one that stays is killed. */
  async close(): Promise<void> {
    const run = this.#run;
    if (run === undefined) return;
    run.child.stdin.end();
    const kill = setTimeout(() => killGroup(run.child.pid), STOP_MS);
    await run.ended;
    clearTimeout(kill);
  }

  #ask(situation: Situation): Promise<Json> {
    const { signal } = situation;
    const id = this.#next++;
    const { child } = (this.#run ??= this.#start());
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      signal.addEventListener("abort", () => this.#waiting.delete(id), { once: true });
      child.stdin.write(`${JSON.stringify({ id, ...questionOf(situation) })}\n`);
    });
  }

  #start(): Run {
    // A group of its own, so that all of what the shell started can be ended.
    const child = spawn(this.#command, { shell: true, stdio: ["pipe", "pipe", "inherit"], detached: true });
    let text = "";
    child.stdin.on("error", () => undefined); // its end is told by "close"
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      const lines = (text + part).split("\n");
      text = lines.pop()!;
      for (const line of lines) this.#hear(line.slice(0, MAX_LINE + 1));
      if (text.length <= MAX_LINE) return;
      text = "";
      this.#failAll("the program's line has no end");
      killGroup(child.pid);
    });
    const ended = new Promise<void>((done) => {
      const end = (why: string) => {
        if (this.#run?.child === child) this.#run = undefined;
        this.#failAll(why);
        done();
      };
      child.on("error", (error) => end(`the program could not be started: ${error.message}`));
      child.on("close", (code, sign) => end(`the program ended (${sign ?? `code ${code}`})`));
    });
    return { child, ended };
  }

  #hear(line: string): void {
    const answer = line.length > MAX_LINE ? undefined : parseJson(line);
    if (!isObject(answer)) return this.#failAll("the program's line is no JSON object");
    const id = own(answer, "id");
    const waiting = typeof id === "number" ? this.#waiting.get(id) : undefined;
    if (waiting === undefined || typeof id !== "number")
      return this.#note("the program answered a question that nobody waits for");
    this.#waiting.delete(id);
    waiting.resolve(answer);
  }

  #failAll(why: string): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new Error(why));
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
