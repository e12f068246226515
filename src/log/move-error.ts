// Why an entry was not signed: a closed set of codes, each with a sentence.

import type { FlagCode } from "../games/game.ts";
import { CodedError } from "../platform/coded-error.ts";

export type MoveCode =
  /** A watcher, or a wallet that is no participant. */
  | "not-seated"
  /** The game would ignore it (`flag` says why), or the share is used up. */
  | "would-be-ignored"
  | "share-spent"
  /** Nothing to open: no commit of this wallet, or it is opened already. */
  | "nothing-to-reveal"
  /** No fork is known that the session's evidence does not prove. */
  | "nothing-to-prove"
  /** The salt is not in this store. */
  | "salt-lost"
  /** The store cannot keep a salt or an outbox item: nothing was signed. */
  | "no-storage"
  /** Another device or tab has written at this place of the log: nothing was published; look and try again. */
  | "log-moved"
  /** The Hub holds another valid entry of this wallet at a seq that is already published: the log is forked. */
  | "log-forked"
  /** The Hub refuses the signed entry for good; it is kept, and sent again when the person asks for it. */
  | "hub-refused"
  /** The Hub does not show entries that this wallet has written, and they are not kept here: nothing was signed. */
  | "log-incomplete"
  /** The session cannot be read (no genesis, a bad one, still loading). */
  | "no-session"
  /** The session asks for more copies of others' entries than this player makes (copy-budget.ts). */
  | "too-costly"
  /** The session is private, and what the genesis seals to this wallet is not its key: nothing was signed. */
  | "no-key"
  | "closed";

/** A move was not made. Unless the code is `log-forked`, nothing of it was published. */
export class MoveError extends CodedError<MoveCode> {
  override readonly name = "MoveError";
  readonly flag: FlagCode | undefined;
  constructor(code: MoveCode, message: string, options?: ErrorOptions & { flag?: FlagCode }) {
    super(code, message, options);
    this.flag = options?.flag;
  }
}
