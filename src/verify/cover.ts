// The authenticated level: which entries a checked signature covers. A wallet that signs an entry pins its predecessor
// by hash, and so on down to the start of the log; only the tips, which no entry of the wallet names, need a check.

import type { Address, Hash } from "../core/values.ts";
import type { Finding } from "./findings.ts";
import type { Place } from "./verifier.ts";

/** One content in a log, with all records that hold it (they differ in nothing but the signature). */
interface Node {
  readonly place: Place;
  readonly records: number[];
  /** Whether some later entry that may still be genuine names it. */
  named: boolean;
  covered: boolean;
}

/** Finds the records to check and takes their findings, round by round, until every record is decided. */
export class Cover {
  readonly #nodes = new Map<string, Node>();
  readonly #findings: Finding[];
  /** Entries to go down by when a tip has failed: doubled each round, so that a chain of n bad ones takes log n rounds. */
  #stride = 1;
  #next: Node[];

  /** `findings` of the task `parse`; they are replaced as better ones come. */
  constructor(findings: Finding[]) {
    this.#findings = findings;
    findings.forEach((finding, i) => {
      if (finding.state !== "parsed") return;
      const key = keyOf(finding.place.wallet, finding.place.seq, finding.place.hash);
      const node = this.#nodes.get(key);
      if (node === undefined)
        this.#nodes.set(key, { place: finding.place, records: [i], named: false, covered: false });
      else node.records.push(i);
    });
    for (const node of this.#nodes.values()) {
      const before = this.#before(node);
      if (before !== undefined) before.named = true;
    }
    this.#next = [...this.#nodes.values()].filter((node) => !node.named);
  }

  /** Indices of the records whose signature must be checked now; empty when all is decided. */
  toCheck(): number[] {
    return this.#next.flatMap((node) => node.records);
  }

  /** Takes the findings of the task `check` for `toCheck()`, and covers what they cover. */
  take(found: readonly Finding[]): void {
    let at = 0;
    const failed: Node[] = [];
    for (const node of this.#next) {
      let genuine = false;
      for (const record of node.records) {
        const finding = found[at++]!;
        this.#findings[record] = finding;
        genuine ||= finding.state === "verified";
      }
      if (genuine) this.#coverFrom(node);
      else failed.push(node);
    }
    this.#next = this.#below(failed);
    this.#stride *= 2;
  }

  /** Whether a record whose finding is still `parsed` is covered. */
  isCovered(finding: Finding): boolean {
    if (finding.state !== "parsed") return false;
    const { wallet, seq, hash } = finding.place;
    return this.#nodes.get(keyOf(wallet, seq, hash))?.covered ?? false;
  }

  #coverFrom(node: Node): void {
    for (let at = this.#before(node); at !== undefined && !at.covered; at = this.#before(at))
      at.covered = true;
  }

  /** The next undecided entries below failed ones: their predecessors are tips now. */
  #below(failed: readonly Node[]): Node[] {
    const next = new Set<Node>();
    for (const node of failed) {
      let at = this.#before(node);
      for (let k = 0; k < this.#stride && at !== undefined && this.#isOpen(at); k++) {
        next.add(at);
        at = this.#before(at);
      }
    }
    return [...next];
  }

  #isOpen(node: Node): boolean {
    return !node.covered && this.#findings[node.records[0]!]!.state === "parsed";
  }

  #before(node: Node): Node | undefined {
    const { wallet, seq, prev } = node.place;
    return prev === null ? undefined : this.#nodes.get(keyOf(wallet, seq - 1, prev));
  }
}

function keyOf(wallet: Address, seq: number, hash: Hash): string {
  return `${wallet}:${seq}:${hash}`;
}
