// Own moves on their way, for the board: from the wallet's window to the other side's past.

import type { Ref } from "../core/values.ts";
import type { NoView, View } from "../core/view.ts";
import type { WriteProgress } from "../log/log-writer.ts";
import type { SentMove } from "./peer.ts";
import { seenBy } from "./turn.ts";

const MAX_MOVES = 100;

export class SentMoves {
  readonly #session: Ref;
  readonly #moves = new Map<Ref, { readonly id: number; readonly progress: WriteProgress }>();
  #made = 0;

  constructor(session: Ref) {
    this.#session = session;
  }

  /** Whether the progress is of a move in this session. */
  take(progress: WriteProgress): boolean {
    const { entry } = progress;
    if (!entry.refs.includes(this.#session)) return false;
    const id = this.#moves.get(entry.ref)?.id ?? this.#made++;
    this.#moves.set(entry.ref, { id, progress });
    if (this.#moves.size > MAX_MOVES) this.#moves.delete(this.#moves.keys().next().value!);
    return true;
  }

  list(view: View | NoView | null): SentMove[] {
    return [...this.#moves.values()].map(({ id, progress }): SentMove => {
      const { entry, stage, problem, failed } = progress;
      const seen = stage === "read-back" && view?.ok === true ? seenBy(view, entry.ref) : [];
      return {
        id,
        type: entry.type,
        stage: seen.length > 0 ? "seen" : stage,
        ref: stage === "signing" ? null : entry.ref,
        seenBy: seen,
        problem,
        failed,
      };
    });
  }
}
