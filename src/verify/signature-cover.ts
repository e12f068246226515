// The authenticated level: which entries a checked signature covers. A wallet that signs an entry pins its predecessor
// by hash, and so on down to the start of the log; only the tips, which no entry of the wallet names, need a check.

import type { Steps } from "../core/steps.ts";
import type { Address, Hash } from "../core/values.ts";
import type { Finding } from "./findings.ts";
import type { Place } from "./verifier.ts";

/** One content in a log, with all records that hold it (they differ in nothing but the signature). */
interface Node {
  readonly place: Place;
  readonly records: number[];
  /** Its predecessor, if that is there. */
  before: Node | undefined;
  /** Whether some later entry that may still be genuine names it. */
  named: boolean;
  covered: boolean;
}

/** Records looked at in one step. */
const STEP = 512;

/** Finds the records to check and takes their findings, round by round, until every record is decided. */
export class Cover {
  readonly #findings: Finding[];
  /** By record; undefined where it could not be parsed. */
  readonly #nodes: readonly (Node | undefined)[];
  /** Entries to go down by when a tip has failed: doubled each round, so that a chain of n bad ones takes log n rounds. */
  #stride = 1;
  #next: readonly Node[];

  private constructor(findings: Finding[], nodes: readonly (Node | undefined)[], tips: readonly Node[]) {
    this.#findings = findings;
    this.#nodes = nodes;
    this.#next = tips;
  }

  /** `findings` of the task `parse`; they are replaced as better ones come. */
  static *of(findings: Finding[]): Steps<Cover> {
    const byKey = new Map<string, Node>();
    const nodes: (Node | undefined)[] = [];
    for (const [i, finding] of findings.entries()) {
      nodes.push(finding.state === "parsed" ? nodeOf(byKey, finding.place, i) : undefined);
      if (i % STEP === 0) yield;
    }
    let linked = 0;
    for (const node of byKey.values()) {
      const { wallet, seq, prev } = node.place;
      node.before = prev === null ? undefined : byKey.get(keyOf(wallet, seq - 1, prev));
      if (node.before !== undefined) node.before.named = true;
      if (++linked % STEP === 0) yield;
    }
    yield;
    return new Cover(
      findings,
      nodes,
      [...byKey.values()].filter((node) => !node.named),
    );
  }

  /** Indices of the records whose signature must be checked now; empty when all is decided. */
  toCheck(): number[] {
    return this.#next.flatMap((node) => node.records);
  }

  /** Takes the findings of the task `check` for `toCheck()`, and covers what they cover. */
  *take(found: readonly Finding[]): Steps<void> {
    let at = 0;
    const failed: Node[] = [];
    for (const node of this.#next) {
      let genuine = false;
      for (const record of node.records) {
        const finding = found[at++]!;
        this.#findings[record] = finding;
        genuine ||= finding.state === "verified";
      }
      if (genuine) yield* this.#coverFrom(node);
      else failed.push(node);
      if (at % STEP === 0) yield;
    }
    this.#next = yield* this.#below(failed);
    this.#stride *= 2;
  }

  /** Whether a record whose finding is still `parsed` is covered. */
  isCovered(record: number): boolean {
    return this.#findings[record]?.state === "parsed" && this.#nodes[record]?.covered === true;
  }

  *#coverFrom(node: Node): Steps<void> {
    let covered = 0;
    for (let at = node.before; at !== undefined && !at.covered; at = at.before) {
      at.covered = true;
      if (++covered % STEP === 0) yield;
    }
  }

  /** The next undecided entries below failed ones: their predecessors are tips now. */
  *#below(failed: readonly Node[]): Steps<Node[]> {
    const next = new Set<Node>();
    let looked = 0;
    for (const node of failed) {
      let at = node.before;
      for (let k = 0; k < this.#stride && at !== undefined && this.#isOpen(at); k++) {
        next.add(at);
        at = at.before;
        if (++looked % STEP === 0) yield;
      }
    }
    return [...next];
  }

  #isOpen(node: Node): boolean {
    return !node.covered && this.#findings[node.records[0]!]!.state === "parsed";
  }
}

function nodeOf(byKey: Map<string, Node>, place: Place, record: number): Node {
  const key = keyOf(place.wallet, place.seq, place.hash);
  const known = byKey.get(key);
  if (known !== undefined) {
    known.records.push(record);
    return known;
  }
  const node: Node = { place, records: [record], before: undefined, named: false, covered: false };
  byKey.set(key, node);
  return node;
}

function keyOf(wallet: Address, seq: number, hash: Hash): string {
  return `${wallet}:${seq}:${hash}`;
}
