// Writes the address while something is dragged: the page follows each step at once, the address bar at most every 400 ms
// and once more at rest. Safari throws from the 101st replaceState within 30 s; then it is written later.

/** The part of the browser that this needs. */
export interface AddressBar {
  read(): string;
  /** May throw where it is asked too often. */
  replace(hash: string): void;
  now(): number;
  after(ms: number, work: () => void): () => void;
}

const REST_MS = 400;
const RETRY_MS = 2_000;

export class AddressWriter {
  readonly #bar: AddressBar;
  /** What the page shows, where the bar does not say so yet. */
  #unwritten: string | null = null;
  #writtenAt = -Infinity;
  #cancel: (() => void) | undefined;

  constructor(bar: AddressBar) {
    this.#bar = bar;
  }

  /** The route in force. */
  read(): string {
    return this.#unwritten ?? this.#bar.read();
  }

  replace(hash: string): void {
    this.#unwritten = hash;
    const rest = this.#writtenAt + REST_MS - this.#bar.now();
    if (rest <= 0 && this.#cancel === undefined) this.#write();
    else this.#cancel ??= this.#bar.after(Math.max(0, rest), () => this.#write());
  }

  /** The reader went somewhere else: what was not written yet is of no use. */
  forget(): void {
    this.#unwritten = null;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #write(): void {
    this.#cancel = undefined;
    if (this.#unwritten === null) return;
    try {
      this.#bar.replace(this.#unwritten);
      this.#unwritten = null;
      this.#writtenAt = this.#bar.now();
    } catch {
      this.#cancel = this.#bar.after(RETRY_MS, () => this.#write());
    }
  }
}
