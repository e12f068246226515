// Bodies of conversation pages as they were last sent: auditors and pollers ask for the same ones again and again,
// and writing 1,024 texts as JSON costs more than reading them.

export interface CachedPage {
  /** The store's version when the page was read. */
  readonly version: string;
  readonly body: Buffer;
}

export class PageCache {
  readonly #most: number;
  readonly #pages = new Map<string, CachedPage>();
  #bytes = 0;

  /** Holds bodies of up to `bytes` in all; those not asked for longest go first. */
  constructor(bytes: number) {
    this.#most = bytes;
  }

  /** The body kept under a name, if the store's version is still the same; else the one that `make` gives. */
  async get(name: string, version: string, make: () => Buffer | Promise<Buffer>): Promise<Buffer> {
    const kept = this.#pages.get(name);
    if (kept?.version === version) {
      this.#pages.delete(name);
      this.#pages.set(name, kept); // a Map keeps the order of insertion: the newest use stands last
      return kept.body;
    }
    const page = { version, body: await make() };
    const old = this.#pages.get(name); // another request may have kept one meanwhile
    if (old !== undefined) this.#drop(name, old);
    this.#keep(name, page);
    return page.body;
  }

  #keep(name: string, page: CachedPage): void {
    if (page.body.length > this.#most / 4) return;
    this.#pages.set(name, page);
    this.#bytes += page.body.length;
    for (const [oldest, old] of this.#pages) {
      if (this.#bytes <= this.#most) break;
      this.#drop(oldest, old);
    }
  }

  #drop(name: string, page: CachedPage): void {
    this.#pages.delete(name);
    this.#bytes -= page.body.length;
  }
}
