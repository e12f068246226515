// Drafts session entries on what is held and verified at that moment, and has them signed and published. What the
// game would ignore is refused before it is signed.

import type { JsonObject } from "../core/canonical.ts";
import { sealBody } from "../core/seal.ts";
import { NONCE_BYTES, type SealedPlace } from "../core/sealed.ts";
import type { Address, Ref } from "../core/values.ts";
import type { View } from "../core/view.ts";
import { commitBody, revealBody } from "../games/commit-reveal.ts";
import { judge } from "../games/judge.ts";
import type { PeerEnvironment } from "./environment.ts";
import { unsignedCandidate, type Head } from "../log/kept-log.ts";
import type { Draft, LogWriter } from "../log/log-writer.ts";
import type { Mirror } from "./mirror.ts";
import { MoveError } from "../log/move-error.ts";
import { findSalt, keepSalt, saltOf } from "./salts.ts";
import type { SessionFollower } from "../session/session-follower.ts";
import { fateOf, isPlayable, listedValues, owedBy, refsFor, unopenedCommits } from "./turn.ts";

/** Type and body of a session entry; its refs follow from what is held. */
export type Content = Pick<Draft, "type" | "body">;

/** Gives the content, knowing the view it will stand on; `test` throws where the game would not count it. */
type MakeContent = (
  view: View,
  wallet: Address,
  test: (content: Content) => Promise<unknown>,
) => Promise<Content>;

export class Moves {
  readonly #env: PeerEnvironment;
  readonly #follower: SessionFollower;
  readonly #log: LogWriter;
  readonly #mirror: Mirror;

  constructor(environment: PeerEnvironment, follower: SessionFollower, log: LogWriter, mirror: Mirror) {
    this.#env = environment;
    this.#follower = follower;
    this.#log = log;
    this.#mirror = mirror;
  }

  append(content: Content): Promise<Ref> {
    return this.#write(async () => content);
  }

  /** Keeps a salt, then commits. */
  commit(value: string): Promise<Ref> {
    return this.#write(async (view, wallet, test) => {
      if (!isPlayable(view, value))
        throw new MoveError("would-be-ignored", `${value} is no value of this game`);
      const round = owedBy(view, judge(view), wallet).find(({ what }) => what === "commit")?.round ?? 1;
      // What would be ignored is refused before a salt is drawn for it.
      await test({ type: "commit", body: commitBody(`0x${"00".repeat(32)}`, round) });
      const { store, random } = this.#env;
      const { session } = this.#follower;
      const commitment = await keepSalt(
        store,
        random,
        { session, wallet, round, value },
        this.#log.wallet.deriveSecret,
      );
      return { type: "commit", body: commitBody(commitment, round) };
    });
  }

  reveal(): Promise<Ref> {
    return this.#write(async (view, wallet) => {
      const [commit] = unopenedCommits(view, judge(view), wallet);
      if (commit === undefined) throw new MoveError("nothing-to-reveal", "there is no commit to open");
      const kept = await saltOf(this.#env.store, this.#log.wallet, view.session, commit, listedValues(view));
      if (kept === undefined) throw new MoveError("salt-lost", "the salt of this commit is not kept here");
      return { type: "reveal", body: revealBody(kept.value, kept.salt, commit.round) };
    });
  }

  /** Whether `value` is what some own commit holds whose salt is lost; its salt is kept again then. */
  async recall(value: string): Promise<boolean> {
    const view = this.#follower.audit.stage?.view;
    const { store } = this.#env;
    if (view?.ok !== true) return false;
    let found = false;
    for (const commit of unopenedCommits(view, judge(view), this.#log.address)) {
      if ((await findSalt(store, view.session, commit.commitment)) !== undefined) continue;
      found ||= (await saltOf(store, this.#log.wallet, view.session, commit, [value])) !== undefined;
    }
    return found;
  }

  async #write(make: MakeContent): Promise<Ref> {
    const { address } = this.#log;
    const entry = await this.#log.append(async (head) => {
      const view = await this.#upToDate(address, head);
      const draft = (content: Content) => this.#draft(view, address, head, content);
      const drafted = await draft(await make(view, address, draft));
      await this.#mirror.write(view);
      return drafted;
    });
    return entry.ref;
  }

  /** The view with all own entries in it, for who may move. */
  async #upToDate(wallet: Address, head: Head | undefined): Promise<View> {
    const holdsHead = (view: View): boolean =>
      head === undefined ||
      [...view.entries.values()].some((entry) => entry.wallet === wallet && entry.seq >= head.seq);
    const before = this.#follower.audit.stage?.view;
    if (before?.ok !== true || !holdsHead(before)) await this.#follower.readOn([wallet]);
    const view = this.#follower.audit.stage?.view;
    if (view?.ok !== true) throw new MoveError("no-session", "the session cannot be read yet");
    if (!view.participants.includes(wallet))
      throw new MoveError("not-seated", `${wallet} is no participant of this session`);
    if (view.sealed) throw new MoveError("no-key", "this session is private, and its key is not here");
    return view;
  }

  /** The draft, if the game would count it. @throws MoveError */
  async #draft(view: View, wallet: Address, head: Head | undefined, content: Content): Promise<Draft> {
    const refs = refsFor(view, wallet).sort();
    const seq = head === undefined ? 0 : head.seq + 1;
    const { type } = content;
    const body = this.#sealed(view, { session: view.session, wallet, seq, type }, content.body);
    const candidate = unsignedCandidate({ wallet, seq, prev_hash: head?.hash ?? null, refs, type, body });
    const then = await this.#follower.audit.viewWith(candidate);
    if (!then.ok) throw new MoveError("no-session", "the session cannot be read");
    const fate = fateOf(then, judge(then), candidate.ref);
    switch (fate.kind) {
      case "flagged":
        throw new MoveError("would-be-ignored", `the game would ignore this move: ${fate.flag}`, {
          flag: fate.flag,
        });
      case "late":
        throw new MoveError("share-spent", `all ${view.share} entries of the share are used`);
      case "pending":
        throw new MoveError("no-session", "entries before this move are missing here; it would not count");
      case "counts":
        return { type, body, refs };
    }
  }

  /** The body as it is signed: in a private session sealed to its place, evidence aside. */
  #sealed(view: View, place: SealedPlace, body: JsonObject): JsonObject {
    const { domain } = this.#follower.audit;
    if (view.terms.domain === undefined || place.type === "evidence") return body;
    if (domain === undefined)
      throw new MoveError("no-key", "this session is private, and its key is not here");
    return sealBody(domain.key, place, body, this.#env.random(NONCE_BYTES));
  }
}
