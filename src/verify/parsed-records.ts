// Records parsed on this thread, by their exact text: each is parsed and hashed once, whichever part asks first.

import { parseCandidate, reviveCandidate, type Candidate, type Rejection } from "../core/entry.ts";
import type { Result } from "../core/result.ts";
import type { Hash, Sha256 } from "../core/values.ts";

/** How a text is read; replaced in tests, to count. */
export interface RecordParser {
  readonly parse: (wire: string, sha256?: Sha256) => Result<Candidate, Rejection>;
  readonly revive: (wire: string, hash: Hash) => Candidate;
}

const PLAIN: RecordParser = { parse: parseCandidate, revive: reviveCandidate };

export class ParsedRecords {
  readonly #parser: RecordParser;
  readonly #known = new Map<string, Result<Candidate, Rejection>>();

  constructor(parser: RecordParser = PLAIN) {
    this.#parser = parser;
  }

  /** `sha256`: a faster one than the plain one; used only if the text is new here. */
  get(wire: string, sha256?: Sha256): Result<Candidate, Rejection> {
    let parsed = this.#known.get(wire);
    if (parsed === undefined) this.#known.set(wire, (parsed = this.#parser.parse(wire, sha256)));
    return parsed;
  }

  /** The candidate of a text that was accepted elsewhere, in a worker for example, with this hash. */
  revive(wire: string, hash: Hash): Candidate {
    const known = this.#known.get(wire);
    if (known?.ok === true) return known.value;
    const value = this.#parser.revive(wire, hash);
    this.#known.set(wire, { ok: true, value });
    return value;
  }

  /** A text that is not kept. */
  forget(wire: string): void {
    this.#known.delete(wire);
  }
}
