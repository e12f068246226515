// Copies of the peers' entries that this wallet has accepted, in its own space on the Hub: one honest participant's
// copies are enough for an audit. What was copied is remembered, since a key written twice comes back twice.

import { parseRef, type Ref } from "../core/values.ts";
import type { View } from "../core/view.ts";
import type { LogWriter } from "../log/log-writer.ts";
import type { Store } from "../platform/key-value-store.ts";
import { MoveError } from "../log/move-error.ts";
import type { CopyBudget } from "./copy-budget.ts";
import { entriesToMirror } from "./turn.ts";
import { errorText } from "../platform/coded-error.ts";

export class Mirror {
  readonly #store: Store;
  readonly #log: LogWriter;
  readonly #session: Ref;
  readonly #budget: CopyBudget | undefined;
  #done: Set<string> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** A wallet that has signed nothing in this run may have to ask a person for the Hub's sign-in. */
  #mayAsk: boolean;

  constructor(store: Store, log: LogWriter, session: Ref, budget?: CopyBudget) {
    this.#budget = budget;
    this.#store = store;
    this.#log = log;
    this.#session = session;
    this.#mayAsk = log.wallet.kind === "local";
  }

  /** Copies all that a move on this view may refer to. @throws HubError */
  write(view: View): Promise<void> {
    this.#mayAsk = true;
    const run = this.#last.then(() => this.#write(view));
    this.#last = run.catch(() => undefined);
    return run;
  }

  /** The same by the way, where it asks nobody anything; what fails is tried at the next change. */
  writeQuietly(view: View, note: (text: string) => void): void {
    if (!this.#mayAsk) return;
    this.write(view).catch((error: unknown) => note(`copies of the others' entries: ${errorText(error)}`));
  }

  async #write(view: View): Promise<void> {
    const key = `mirrored/${this.#log.address}/${this.#session}`;
    this.#done ??= new Set(((await this.#store.get(key)) ?? "").split("\n").filter((line) => line !== ""));
    const done = this.#done;
    const fresh = entriesToMirror(view, this.#log.address).filter(({ hash }) => !done.has(hash));
    if (fresh.length === 0) return;
    if (this.#budget?.take(this.#session, fresh) === false)
      throw new MoveError("too-costly", "this session asks for more copies than this player makes");
    await this.#log.mirror(parseRef(this.#session)!.hash, fresh);
    for (const { hash } of fresh) done.add(hash);
    await this.#store.put(key, [...done].join("\n"));
  }
}
