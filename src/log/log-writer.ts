// The one writer of a wallet's log. An entry's place is taken in the store before it is signed, it is kept before
// it is uploaded, and it is done when the Hub has given the same bytes back. One writer at a time across tabs, by a
// lock; where there is none, taking the place is atomic in the store all the same.

import type { Hub } from "../hub/hub.ts";
import type { Clock } from "../platform/clock.ts";
import type { Store } from "../platform/key-value-store.ts";
import type { Hold, Locks } from "../platform/locks.ts";
import type { RandomBytes } from "../platform/random-bytes.ts";
import { signedText, wireForm, parseCandidate, type Candidate } from "../core/entry.ts";
import { checkPlain } from "../core/signature.ts";
import type { JsonObject } from "../core/canonical.ts";
import type { Address, Hash, Ref } from "../core/values.ts";
import { isRefusal, type HubError } from "../hub/hub-error.ts";
import { writeMirror } from "../hub/log-keys.ts";
import { WalletError } from "../wallet/wallet-error.ts";
import type { Wallet } from "../wallet/wallet.ts";
import { createBackoff } from "../platform/backoff.ts";
import { deliver, type Delivery } from "./deliver-entry.ts";
import { KeptLog, unsignedCandidate, type Head } from "./kept-log.ts";
import { healLog } from "./heal-log.ts";
import { readHead } from "./log-head.ts";
import { MoveError } from "./move-error.ts";

/** What is to be signed next; the writer adds wallet, seq and predecessor, and sorts the refs. */
export interface Draft {
  readonly type: string;
  readonly body: JsonObject;
  readonly refs: Iterable<Ref>;
}

/** How far an entry is. Its hash, and so its ref, is known before it is signed. */
export interface WriteProgress {
  readonly entry: Candidate;
  readonly stage: "signing" | "stored" | "read-back";
  readonly problem: string | null;
  /** No further attempt will be made. */
  readonly failed: boolean;
}

export interface LogEnvironment {
  readonly hub: Hub;
  readonly store: Store;
  readonly locks: Locks;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

const LOCK = "coop-log:";

/** The wallet whose log a lock is held for, or what else stands in its place. */
export function walletOfLock(name: string): string | undefined {
  return name.startsWith(LOCK) ? name.slice(LOCK.length) : undefined;
}

/** How long a wallet may take before the person is told that it has not answered. */
const SIGNING_MS = 120_000;
const RETRY_FIRST_MS = 500;
const RETRY_CAP_MS = 30_000;

/** Opens the writer of a wallet's log, and goes on with what an earlier run has left unfinished. */
export function openLog(environment: LogEnvironment, wallet: Wallet): LogWriter {
  const log = new LogWriter(environment, wallet);
  log.resume();
  return log;
}

export class LogWriter {
  readonly wallet: Wallet;
  readonly address: Address;
  readonly environment: LogEnvironment;
  readonly #kept: KeptLog;
  readonly #listeners = new Set<(progress: WriteProgress) => void>();
  readonly #newest = new Map<Ref, WriteProgress>();
  #queue: Promise<unknown> = Promise.resolve();
  /** A request that the wallet has not answered: asked for again, it is waited for, not asked twice. */
  #asking: { readonly hash: Hash; readonly answer: Promise<Candidate> } | undefined;
  #hold: Hold | undefined;
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(environment: LogEnvironment, wallet: Wallet) {
    this.environment = environment;
    this.wallet = wallet;
    this.address = wallet.address;
    this.#kept = new KeptLog(environment.store, wallet.address);
  }

  /** Progress of every entry of this log, this run's and those left by an earlier one; the unfinished at once. */
  onProgress(listener: (progress: WriteProgress) => void): () => void {
    this.#listeners.add(listener);
    for (const progress of this.#newest.values()) listener(progress);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Signs and publishes the next entry of the log. `make` is called once the head is known and nothing else is under
   * way; it may throw, and then nothing has been signed. Resolves once the entry is read back. Calls wait for one
   * another, so two of them give consecutive entries.
   * @throws MoveError, WalletError, HubError (before anything was signed), what `make` throws
   */
  append(make: (head: Head | undefined) => Promise<Draft>): Promise<Candidate> {
    const run = this.#queue.then(() => this.#append(make));
    this.#queue = run.catch(() => undefined);
    return run;
  }

  /** Copies of peers' entries in this wallet's space (protocol section 7); resolves once the Hub acknowledged all. */
  async mirror(genesis: Hash, entries: readonly Candidate[]): Promise<void> {
    let refusal: HubError | undefined;
    for (const entry of entries)
      try {
        await writeMirror(this.environment.hub, this.wallet, genesis, entry);
      } catch (error) {
        // One copy that the Hub refuses for good does not hold up the others.
        if (!isRefusal(error)) throw error;
        refusal ??= error;
      }
    if (refusal !== undefined) throw refusal;
  }

  /** An own entry found elsewhere, its signature checked: the log is at least that long, whatever its Hub says. */
  noteOwn(entry: Candidate): Promise<void> {
    return this.#kept.note(entry);
  }

  /**
   * Uploads again what the Hub has lost of this log and is kept here; answers the seqs.
   * @throws HubError where the Hub cannot be read or refuses; MoveError `log-forked`
   */
  heal(): Promise<readonly number[]> {
    const run = this.#queue.then(() =>
      this.#locked(() => healLog(this.environment.hub, this.wallet, this.#kept)),
    );
    this.#queue = run.catch(() => undefined);
    return run;
  }

  /** Drops the copies of own entries of a session that is final. */
  release(entries: readonly { readonly seq: number }[]): Promise<void> {
    return this.#kept.release(entries);
  }

  /** Tries now what waits, because somebody wants it: the wallet may be asked. */
  retry(): void {
    const wake = this.#wake;
    if (wake === undefined) void this.#queueQuietly(() => this.#flush(true));
    else wake();
  }

  /** Finishes what is unfinished, and uploads what the Hub has lost. A wallet that would have to ask a person is not asked before the next append. */
  resume(): void {
    void this.#queueQuietly(() => this.#flush(this.wallet.kind === "local"));
    // A wallet that a person holds may have to sign in to upload: it heals before its next move.
    if (this.wallet.kind === "local") void this.heal().catch(() => undefined);
  }

  /** Ends waiting; what is not read back stays in the store for the next run. */
  close(): void {
    this.#closed = true;
    this.#listeners.clear();
    this.#wake?.();
  }

  #queueQuietly(work: () => Promise<unknown>): Promise<unknown> {
    this.#queue = this.#queue.then(work).catch(() => undefined);
    return this.#queue;
  }

  async #append(make: (head: Head | undefined) => Promise<Draft>): Promise<Candidate> {
    for (;;) {
      await this.#flush(true);
      const entry = await this.#locked(async () => {
        if ((await this.#kept.intent()) !== undefined || (await this.#kept.outbox()).length > 0)
          return undefined;
        return this.#signNext(make);
      });
      if (entry === undefined) continue;
      await this.#finish(entry);
      return entry;
    }
  }

  /** In the lock: reads the head, has the draft made, takes the place, signs, keeps. Undefined where another was first. */
  async #signNext(make: (head: Head | undefined) => Promise<Draft>): Promise<Candidate | undefined> {
    const head = await this.#wholeHead();
    if (head !== undefined) await this.#kept.moveHead(head);
    const { type, body, refs } = await make(head);
    const draft = unsignedCandidate({
      wallet: this.address,
      seq: head === undefined ? 0 : head.seq + 1,
      prev_hash: head === undefined ? null : head.hash,
      refs: [...new Set(refs)].sort(),
      type,
      body,
    });
    return (await this.#kept.intend(draft)) ? this.#sign(draft) : undefined;
  }

  /** The head of a log without holes at its end; what the Hub has lost is uploaded first. @throws HubError, MoveError */
  async #wholeHead(): Promise<Head | undefined> {
    const { hub } = this.environment;
    const known = await this.#kept.head();
    const shown = await readHead(hub, this.address, known);
    if (shown.missing === undefined && shown.isListed) return shown.head;
    await healLog(hub, this.wallet, this.#kept);
    const then = await readHead(hub, this.address, known);
    if (then.missing === undefined) return then.head;
    throw new MoveError(
      "log-incomplete",
      `${hub.name} does not show entry ${then.missing} of your log: nothing was signed. Choose the Hub that has it, or try again later`,
    );
  }

  /** Asks the wallet for the signature of an entry whose place is taken, and keeps the result. */
  async #sign(draft: Candidate): Promise<Candidate> {
    this.#report({ entry: draft, stage: "signing", problem: null, failed: false });
    let entry: Candidate;
    try {
      entry = await this.#ask(draft);
    } catch (error) {
      const fault =
        error instanceof WalletError ? error : new WalletError("failed", undefined, { cause: error });
      // With no answer yet a signature may still come; otherwise nobody has one, and the place is free again.
      const waits = fault.code === "no-answer";
      if (!waits) await this.#kept.withdraw(draft);
      this.#report({ entry: draft, stage: "signing", problem: fault.message, failed: !waits });
      throw fault;
    }
    await this.#kept.keep(entry);
    this.#report({ entry, stage: "stored", problem: null, failed: false });
    return entry;
  }

  async #ask(draft: Candidate): Promise<Candidate> {
    if (this.#asking?.hash !== draft.hash) {
      const answer = this.wallet.signText(signedText(draft)).then((sig) => checked(draft, sig));
      this.#asking = { hash: draft.hash, answer };
      const forget = () => {
        if (this.#asking?.answer === answer) this.#asking = undefined;
      };
      answer.then(forget, forget);
    }
    const { answer } = this.#asking;
    if (this.wallet.kind === "injected") this.#hold?.describe("asking");
    return new Promise<Candidate>((resolve, reject) => {
      const stop = this.environment.clock.after(SIGNING_MS, () => reject(new WalletError("no-answer")));
      answer.then(resolve, reject).finally(stop);
    }).finally(() => this.#hold?.describe(null));
  }

  /** Until nothing is unfinished: signs what was about to be signed (if `mayAsk`), uploads and reads back what is kept. */
  async #flush(mayAsk: boolean): Promise<void> {
    await this.#repeat(async () => {
      const intent = await this.#kept.intent();
      if (intent !== undefined && mayAsk) await this.#settleIntent(intent);
      for (const item of await this.#kept.outbox()) {
        const done = await deliver(this.environment.hub, this.wallet, this.#kept, item);
        this.#reportDelivery(item.entry, done);
        if (done.state === "refused") throw refused(item.entry, done.problem);
        if (done.state === "waits") return done;
      }
      return undefined;
    });
  }

  /** Until this entry is read back. @throws MoveError where it lost its place */
  async #finish(entry: Candidate): Promise<void> {
    await this.#repeat(async () => {
      const item = (await this.#kept.outbox()).find((kept) => kept.entry.ref === entry.ref);
      // Gone from the outbox: another tab has finished it. `deliver` looks before it writes, so ask it again.
      const done = await deliver(
        this.environment.hub,
        this.wallet,
        this.#kept,
        item ?? { entry, sent: true },
      );
      this.#reportDelivery(entry, done);
      if (done.state === "lost") throw new MoveError(done.code, done.problem);
      if (done.state === "refused") throw refused(entry, done.problem);
      return done.state === "waits" ? done : undefined;
    });
  }

  /** An entry was about to be signed when the last run ended, or another tab is at it: the same one is signed. */
  async #settleIntent(intent: Candidate): Promise<void> {
    const outbox = await this.#kept.outbox();
    const head = await this.#wholeHead();
    const isKept = outbox.some(({ entry }) => entry.seq === intent.seq);
    if (isKept || (head !== undefined && head.seq >= intent.seq)) await this.#kept.withdraw(intent);
    else await this.#sign(intent);
  }

  /** Repeats work in the lock, with growing waits outside of it, until it gives nothing to wait for. */
  async #repeat(work: () => Promise<Delivery | undefined>): Promise<void> {
    const backoff = createBackoff(this.environment.random, RETRY_FIRST_MS, RETRY_CAP_MS);
    for (;;) {
      const left = await this.#locked(work);
      if (left === undefined) return;
      await this.#wait(left.state === "waits" && left.manual ? undefined : backoff.next());
    }
  }

  #wait(ms: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        stop?.();
        this.#wake = undefined;
        resolve();
      };
      const stop = ms === undefined ? undefined : this.environment.clock.after(ms, done);
      this.#wake = done;
    });
  }

  #locked<T>(work: () => Promise<T>): Promise<T> {
    return this.environment.locks.run(LOCK + this.address, async (hold) => {
      if (this.#closed)
        throw new MoveError("closed", "this log was closed; what is signed is kept for the next start");
      this.#hold = hold;
      return work().finally(() => (this.#hold = undefined));
    });
  }

  #reportDelivery(entry: Candidate, done: Delivery): void {
    if (done.state === "there") this.#report({ entry, stage: "read-back", problem: null, failed: false });
    else this.#report({ entry, stage: "stored", problem: done.problem, failed: done.state === "lost" });
  }

  #report(progress: WriteProgress): void {
    const { ref } = progress.entry;
    if (progress.stage === "read-back" || progress.failed) this.#newest.delete(ref);
    else this.#newest.set(ref, progress);
    for (const listener of this.#listeners) listener(progress);
  }
}

function refused({ seq }: Candidate, problem: string): MoveError {
  return new MoveError(
    "hub-refused",
    `the Hub refused entry ${seq}: ${problem}. It is kept here; try again later, or choose another Hub`,
  );
}

/** The signed entry, its signature checked once more by us. @throws WalletError */
function checked(draft: Candidate, sig: Candidate["sig"]): Candidate {
  const parsed = parseCandidate(wireForm({ ...draft, sig }));
  if (!parsed.ok) throw new WalletError("bad-signature", parsed.error.code);
  const entry = parsed.value;
  const result = checkPlain(entry);
  if (!result.ok) throw new WalletError(result.code === "wrong-signer" ? "wrong-signer" : "bad-signature");
  return entry;
}
