// The command line's surroundings: answers on stdout, progress on stderr, exit codes, and the one error that means
// "this input cannot be used".

import { createInterface } from "node:readline";

/** Exit codes (product: the command line). */
export const EXIT = { ok: 0, failed: 1, open: 2, unusable: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The input cannot be used; the message names what and why. Ends with exit code 3. */
export class Unusable extends Error {
  override readonly name = "Unusable";
}

export interface Console {
  /** One line of the answer. */
  out(text: string): void;
  /** Progress and notes, for people. */
  note(text: string): void;
  /** All of standard input, as bytes. */
  readStdin(): Promise<Uint8Array>;
  /** Lines of standard input as they come, until the returned end of it. */
  onLine(listener: (line: string) => void): () => void;
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
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
    readStdin: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    },
    onLine: (listener) => {
      const lines = createInterface({ input: process.stdin }).on("line", listener);
      return () => lines.close();
    },
  };
}

function hasGone({ code }: NodeJS.ErrnoException): boolean {
  return code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
}

/** Exit only once everything written has left: output into a pipe is asynchronous. */
export async function leave(code: number): Promise<never> {
  await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
  process.exit(code);
}
