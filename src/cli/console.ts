// The command line's surroundings: answers on stdout, progress on stderr, exit codes, and the one error that means
// "this input cannot be used".

import { createInterface } from "node:readline";
import { inertJson, inertLine } from "../platform/inert.ts";

/** Exit codes (product: the command line). */
export const EXIT = { ok: 0, failed: 1, open: 2, unusable: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The input cannot be used; the message names what and why. Ends with exit code 3. */
export class Unusable extends Error {
  override readonly name = "Unusable";
}

/** How a line stands out on a terminal; each style's text suffices without its colour. */
export type Style = "good" | "warn" | "bad" | "bold";

const STYLE_CODES: Readonly<Record<Style, string>> = { good: "32", warn: "33", bad: "31", bold: "1" };

export interface Console {
  /** The answer goes to a person's terminal, not into a pipe or a file. */
  readonly isTerminal?: boolean;
  /** The terminal shows colours, and the person has not asked for none (NO_COLOR). */
  readonly hasColours?: boolean;
  /** Characters of a line of the terminal. */
  readonly columns?: number;
  /** One line of the answer. */
  out(text: string): void;
  /** Progress and notes, for people. */
  note(text: string): void;
  /** Standard input as bytes, piece by piece. */
  readStdin(): AsyncIterable<Uint8Array>;
  /** Lines of standard input as they come, until the returned end of it. */
  onLine(listener: (line: string) => void): () => void;
}

/** What the commands write with: no text of a stranger moves the cursor, colours a line or forges another. */
export interface SafeConsole extends Console {
  /** One line of the answer, in a style where the terminal has colours. */
  styled(text: string, style: Style | undefined): void;
  /** A text of our own in several lines. */
  lines(text: string): void;
  /** An answer for programs. */
  json(value: unknown): void;
  /** Exactly these characters, for output that is a file's content. */
  exact(text: string): void;
}

/** A console that writes one line for each call, with control, bidirectional and invisible characters as marks. */
export function safeConsole(console: Console): SafeConsole {
  const out = (text: string) => console.out(inertLine(text));
  return {
    isTerminal: console.isTerminal === true,
    hasColours: console.hasColours === true,
    ...(console.columns !== undefined && { columns: console.columns }),
    out,
    styled: (text, style) =>
      style === undefined || console.hasColours !== true
        ? out(text)
        : console.out(`\u001b[${STYLE_CODES[style]}m${inertLine(text)}\u001b[0m`),
    note: (text) => console.note(inertLine(text)),
    lines: (text) => text.split("\n").forEach(out),
    json: (value) => console.out(inertJson(value)),
    exact: (text) => console.out(text),
    readStdin: () => console.readStdin(),
    onLine: (listener) => console.onLine(listener),
  };
}

/**
 * The process's own. A reader that has gone (`| head`) misses the rest; the command goes on, and its exit code says what it
 * found: a check that failed is no success because nobody read of it. An answer that cannot be written (a full disk) is 3.
 */
export function processConsole(): Console {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (hasGone(error)) return;
    process.stderr.write(`standard output cannot be written (${error.code ?? error.message})\n`);
    process.exit(EXIT.unusable);
  });
  process.stderr.on("error", () => undefined);
  const isTerminal = process.stdout.isTTY === true;
  return {
    isTerminal,
    hasColours: isTerminal && wantsColours(process.env),
    ...(isTerminal && { columns: process.stdout.columns }),
    out: (text) => void process.stdout.write(`${text}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
    readStdin: () => process.stdin as AsyncIterable<Uint8Array>,
    onLine: (listener) => {
      const lines = createInterface({ input: process.stdin }).on("line", listener);
      return () => lines.close();
    },
  };
}

/** NO_COLOR (no-color.org): set to anything but the empty text, it switches colours off. */
export function wantsColours({ NO_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  return (NO_COLOR ?? "") === "" && TERM !== "dumb";
}

function hasGone({ code }: NodeJS.ErrnoException): boolean {
  return code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
}

/** Exit only once everything written has left: output into a pipe is asynchronous. */
export async function leave(code: number): Promise<never> {
  await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
  process.exit(code);
}
