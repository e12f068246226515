// Reports of a fork: both versions in an `evidence` entry of one's own. Copies in a mirror stand one at a place, so
// the second version may be known here alone; with it in an entry, whoever reads the session has the proof.
// It uses up one entry of the share, so by itself it is written once, when that can hurt nobody.

import { carriedRecords } from "../core/evidence.ts";
import { utf8 } from "../core/bytes.ts";
import { canonicalize, parseJson, type JsonObject } from "../core/canonical.ts";
import { parseCandidate } from "../core/entry.ts";
import type { Address, Ref } from "../core/values.ts";
import type { View } from "../core/view.ts";
import type { Verdict } from "../games/game.ts";
import type { Wallet } from "../wallet/wallet.ts";
import { fraction } from "../platform/backoff.ts";
import type { Clock } from "../platform/clock.ts";
import type { RandomBytes } from "../platform/random-bytes.ts";
import { MoveError } from "../log/move-error.ts";
import { entriesLeft } from "./turn.ts";

export interface Fork {
  readonly wallet: Address;
  /** Body of the evidence. */
  readonly body: JsonObject;
}

/** Room in an evidence entry of 65,536 bytes, its own fields and refs aside. */
const MAX_BODY_BYTES = 45_000;
/** Several participants find a fork at about the same time; one report is enough. */
const MAX_WAIT_MS = 4_000;

/** Forks of participants that no placed evidence of a participant proves, in the order of participants. */
export function unreportedForks(view: View): Fork[] {
  if (view.members.every(({ fault }) => fault === null)) return [];
  const proven = new Set(
    view.order.flatMap(({ entry }) => (entry.type === "evidence" ? forkReportedBy(entry.body) : [])),
  );
  return view.members.flatMap(({ wallet, fault }): Fork[] => {
    if (fault === null || proven.has(`${wallet} ${fault.seq}`)) return [];
    const [a, b] = fault.versions.map(({ wire }) => parseJson(wire));
    if (a === undefined || b === undefined) return [];
    const body = { kind: "equivocation", a, b };
    return utf8(canonicalize(body)).length > MAX_BODY_BYTES ? [] : [{ wallet, body }];
  });
}

/** The wallet and seq whose two versions stand in a body; nothing where it proves nothing. */
function forkReportedBy(body: JsonObject): string[] {
  const [first, second] = carriedRecords({ type: "evidence", body }).map((wire) => parseCandidate(wire));
  if (first?.ok !== true || second?.ok !== true) return [];
  const [a, b] = [first.value, second.value];
  if (a.hash === b.hash) return [];
  return a.wallet === b.wallet && a.seq === b.seq ? [`${a.wallet} ${a.seq}`] : [];
}

/** Whether an entry for it can be spared: nothing is owed any more, or most of the share is left. Never the last one
 * while something is owed, since that would close the session. */
export function canAffordEntry(view: View, verdict: Verdict, wallet: Address): boolean {
  const left = entriesLeft(view, wallet);
  if (!verdict.ok || left === 0) return false;
  return verdict.status === "decided" || 2 * left > view.share + 1;
}

export interface ForkReporterOptions {
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly wallet: Wallet;
  readonly append: (body: JsonObject) => Promise<Ref>;
  readonly onError: (error: unknown) => void;
}

export class ForkReporter {
  readonly #options: ForkReporterOptions;
  /** Forks that were reported, or tried to be. */
  readonly #done = new Set<Address>();
  #running: Promise<Ref> | undefined;
  #cancel: (() => void) | undefined;
  #look: (() => readonly [View, Verdict] | undefined) | undefined;

  constructor(options: ForkReporterOptions) {
    this.#options = options;
  }

  /** Writes it by itself a little later, if it is still called for then. A person's wallet is never asked unbidden. */
  consider(look: () => readonly [View, Verdict] | undefined): void {
    const { clock, random, wallet, onError } = this.#options;
    this.#look = look;
    if (wallet.kind !== "local" || this.#cancel !== undefined || this.#due() === undefined) return;
    this.#cancel = clock.after(Math.round(fraction(random) * MAX_WAIT_MS), () => {
      this.#cancel = undefined;
      const due = this.#due();
      if (due === undefined) return;
      this.#done.add(due.wallet);
      this.report(due).catch(onError);
    });
  }

  /** Writes it now. Two calls at once are one. @throws MoveError */
  report(fork: Fork | undefined): Promise<Ref> {
    if (fork === undefined)
      return Promise.reject(
        new MoveError("nothing-to-prove", "no fork is known here that is not proven already"),
      );
    this.#running ??= this.#options.append(fork.body).finally(() => (this.#running = undefined));
    return this.#running;
  }

  close(): void {
    this.#cancel?.();
  }

  #due(): Fork | undefined {
    const [view, verdict] = this.#look?.() ?? [];
    if (view === undefined || verdict === undefined) return undefined;
    if (!canAffordEntry(view, verdict, this.#options.wallet.address)) return undefined;
    return unreportedForks(view).find(({ wallet }) => !this.#done.has(wallet));
  }
}
