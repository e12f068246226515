// The one reader of bytes for every way in: a chosen, dropped or pasted file, a file of the command line, standard input.
// Text comes out exactly as it was written or not at all: nothing is replaced, so no author is blamed for a byte that was
// changed here. Byte order marks are taken off, UTF-16 and gzip are read, everything else is named.

import { SNIFF_LENGTH, sniffFormat, type Encoding } from "./sniff-format.ts";

export interface InputLimits {
  /** Lines that are read. */
  readonly lines: number;
  /** Bytes that are read, after unpacking. */
  readonly bytes: number;
}

export interface InputText {
  readonly ok: true;
  readonly text: string;
  /** Which limit ended the reading, at the end of a line; null where all was read. */
  readonly capped: { readonly limit: number; readonly unit: "lines" | "bytes" } | null;
}

export interface BadInput {
  readonly ok: false;
  readonly code: "empty" | "not-text" | "bad-utf8" | "unreadable";
  /** A sentence for people. */
  readonly why: string;
}

/** Called with the lines read so far. */
export type OnLines = (lines: number) => void;

type Chunks = AsyncIterable<Uint8Array>;

/** Reads an input to its end, or to its limits. Rejects with nothing: what fails is named. */
export async function readInput(
  chunks: Chunks,
  limits: InputLimits,
  onLines?: OnLines,
): Promise<InputText | BadInput> {
  try {
    return await readUnpacked(chunks, limits, onLines, true);
  } catch (error) {
    return refuse("unreadable", whyUnreadable(error));
  }
}

/** A file of the browser. A folder that was dropped cannot be read, and is named here. */
export function readBlob(blob: Blob, limits: InputLimits, onLines?: OnLines): Promise<InputText | BadInput> {
  return readInput(blobChunks(blob), limits, onLines);
}

/** One piece after another, since not every browser can iterate over `Blob.stream()`. */
async function* blobChunks(blob: Blob): Chunks {
  const size = 1 << 20;
  for (let at = 0; at < blob.size || at === 0; at += size)
    yield new Uint8Array(await blob.slice(at, at + size).arrayBuffer());
}

export function whyUnreadable(error: unknown): string {
  const code = String((error as { code?: unknown }).code ?? (error as { name?: unknown }).name);
  if (code === "EISDIR") return "It is a folder; give a file in it (EISDIR).";
  if (code === "ENOENT") return "There is no such file (ENOENT).";
  if (code === "EACCES" || code === "EPERM") return `This user may not read it (${code}).`;
  if (/^(NotFoundError|NotReadableError|SecurityError)$/.test(code) || code === "8")
    return "It could not be read. It may be a folder, or it was moved or changed; choose the file again.";
  return `It could not be read (${code}).`;
}

async function readUnpacked(
  chunks: Chunks,
  limits: InputLimits,
  onLines: OnLines | undefined,
  packed: boolean,
): Promise<InputText | BadInput> {
  const source = chunks[Symbol.asyncIterator]();
  const { head, parts } = await readHead(source);
  if (head.length === 0) return refuse("empty", "It is empty.");
  const sniffed = sniffFormat(head);
  if (!sniffed.ok) return refuse("not-text", `It is ${sniffed.what}.`);
  const { encoding, bomLength } = sniffed;
  const rest = resume(parts, source, bomLength);
  if (encoding === "gzip") {
    if (!packed) return refuse("not-text", "It is compressed by gzip twice; unpack it first.");
    return readGzip(rest, limits, onLines);
  }
  return readText(rest, encoding, limits, onLines);
}

async function readGzip(
  chunks: Chunks,
  limits: InputLimits,
  onLines: OnLines | undefined,
): Promise<InputText | BadInput> {
  const stream = new DecompressionStream("gzip");
  const writer = stream.writable.getWriter();
  const pumped = (async () => {
    for await (const chunk of chunks) await writer.write(new Uint8Array(chunk));
    await writer.close();
  })();
  pumped.catch(() => undefined); // the reading side rejects as well
  const reader = stream.readable.getReader();
  try {
    return await readUnpacked(readerChunks(reader), limits, onLines, false);
  } catch {
    return refuse("not-text", "It is compressed by gzip, and damaged: it may have been cut.");
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

async function* readerChunks(reader: ReadableStreamDefaultReader<Uint8Array>): Chunks {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** The first bytes, and the chunks that they came in. */
async function readHead(source: AsyncIterator<Uint8Array>) {
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length < SNIFF_LENGTH) {
    const next = await source.next();
    if (next.done === true) break;
    parts.push(next.value);
    length += next.value.length;
  }
  return { head: concat(parts).subarray(0, SNIFF_LENGTH), parts };
}

/** All chunks again, without so many bytes at the beginning. */
async function* resume(
  parts: readonly Uint8Array[],
  source: AsyncIterator<Uint8Array>,
  skip: number,
): Chunks {
  let left = skip;
  for (const part of parts) {
    yield part.subarray(left);
    left = Math.max(0, left - part.length);
  }
  for (;;) {
    const next = await source.next();
    if (next.done === true) return;
    yield next.value;
  }
}

/** Reads whole lines, so that a character is never cut in two and a bad one is named with its line. */
async function readText(
  chunks: Chunks,
  encoding: Encoding,
  limits: InputLimits,
  onLines: OnLines | undefined,
): Promise<InputText | BadInput> {
  const taken = new LineTaker(encoding, limits);
  for await (const chunk of chunks) {
    const stopped = taken.take(chunk);
    onLines?.(taken.lines);
    if (stopped !== null) return stopped;
  }
  return taken.end();
}

class LineTaker {
  readonly #decoder: TextDecoder;
  readonly #encoding: Encoding;
  readonly #limits: InputLimits;
  readonly #texts: string[] = [];
  /** Bytes of a line whose end has not come yet. */
  #pending: Uint8Array[] = [];
  #bytes = 0;
  lines = 0;

  constructor(encoding: Encoding, limits: InputLimits) {
    this.#encoding = encoding;
    this.#decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
    this.#limits = limits;
  }

  /** Null: more is wanted. */
  take(chunk: Uint8Array): InputText | BadInput | null {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limits.bytes) return this.#result({ limit: this.#limits.bytes, unit: "bytes" });
    const cut = this.#encoding === "utf-8" ? chunk.lastIndexOf(LF) + 1 : 0;
    if (cut === 0) {
      this.#pending.push(chunk);
      return null;
    }
    const whole = concat([...this.#pending, chunk.subarray(0, cut)]);
    this.#pending = [chunk.subarray(cut)];
    return this.#decode(whole);
  }

  end(): InputText | BadInput {
    return this.#decode(concat(this.#pending)) ?? this.#result(null);
  }

  #decode(bytes: Uint8Array): InputText | BadInput | null {
    let text: string;
    try {
      text = this.#decoder.decode(bytes);
    } catch {
      return this.#named(bytes);
    }
    const room = this.#limits.lines - this.lines;
    const cut = endOfLine(text, room);
    this.#texts.push(cut < 0 ? text : text.slice(0, cut));
    this.lines += cut < 0 ? countOf(text, "\n") : room;
    return cut >= 0 && cut < text.length ? this.#result({ limit: this.#limits.lines, unit: "lines" }) : null;
  }

  #named(bytes: Uint8Array): BadInput {
    if (this.#encoding !== "utf-8")
      return refuse("bad-utf8", "It looks like text in UTF-16, and is damaged: half a character is missing.");
    let line = this.lines + 1;
    for (let start = 0; start < bytes.length; line++) {
      const end = bytes.indexOf(LF, start);
      const one = bytes.subarray(start, end < 0 ? bytes.length : end);
      const wrong = badByte(one);
      if (wrong !== undefined)
        return refuse(
          "bad-utf8",
          `Line ${line.toLocaleString("en")} is not valid UTF-8: the byte 0x${wrong.byte.toString(16).padStart(2, "0")} at its position ${(wrong.at + 1).toLocaleString("en")} starts no character. The file was changed or saved in another encoding.`,
        );
      start = end < 0 ? bytes.length : end + 1;
    }
    return refuse("bad-utf8", "It is not valid UTF-8.");
  }

  #result(capped: InputText["capped"]): InputText {
    return { ok: true, text: this.#texts.join(""), capped };
  }
}

const LF = 0x0a;

/** The first byte that belongs to no valid character of UTF-8. */
function badByte(line: Uint8Array): { readonly byte: number; readonly at: number } | undefined {
  const isValid = (part: Uint8Array): boolean => {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(part);
      return true;
    } catch {
      return false;
    }
  };
  if (isValid(line)) return undefined;
  for (let at = 0; at < line.length;) {
    const length = sequenceLength(line[at]!);
    if (!isValid(line.subarray(at, at + length))) return { byte: line[at]!, at };
    at += length;
  }
  return undefined;
}

function sequenceLength(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

/** The place behind the n-th line break, -1 where there are fewer. */
function endOfLine(text: string, n: number): number {
  let at = 0;
  for (let i = 0; i < n; i++) {
    at = text.indexOf("\n", at) + 1;
    if (at === 0) return -1;
  }
  return at;
}

function countOf(text: string, what: string): number {
  let count = 0;
  for (let at = text.indexOf(what); at >= 0; at = text.indexOf(what, at + 1)) count++;
  return count;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function refuse(code: BadInput["code"], why: string): BadInput {
  return { ok: false, code, why };
}
