// What is alive in this page: one peer for a session and seat, one host for an invite, one joining. They are kept
// here, not in a component: a seat's moves go on (and its commits are opened) while one looks at another page.

import type { Address, Ref } from "../../core/values.ts";
import { parseRef } from "../../core/values.ts";
import type { Host, Joining, Offer } from "../../invite/invite.ts";
import { openDirectSession } from "../../invite/direct-session.ts";
import { joinInvite } from "../../invite/invite-guest.ts";
import { hostInvite, resumeHost, type HostOptions } from "../../invite/invite-host.ts";
import { openSeat } from "../../peer/seat.ts";
import { openWatcher } from "../../peer/watcher.ts";
import type { Peer } from "../../peer/peer.ts";
import { readKey } from "../services/domain-key.ts";
import type { AppEnvironment } from "../services/environment.ts";

export class Live {
  readonly #environment: AppEnvironment;
  readonly #peers = new Map<string, Promise<Peer>>();
  readonly #hosts = new Map<Ref, Promise<Host>>();
  readonly #leaving = new Map<Ref, () => void>();
  readonly #joinings = new Map<string, Promise<Joining>>();
  readonly #joinsAs = new Map<Ref, Address>();

  constructor(environment: AppEnvironment) {
    this.#environment = environment;
  }

  /** Signs an invite and waits for its ref. @throws Error where it could not be made */
  async host(wallet: Address, offer: Offer, options: HostOptions): Promise<Ref> {
    const environment = this.#environment;
    const log = environment.logOf(await environment.walletOf(wallet));
    const host = hostInvite(environment, log, offer, options);
    const invite = await new Promise<Ref>((resolve, reject) => {
      const look = () => {
        const { invite: ref, stage, problem } = host.getSnapshot();
        if (ref === null && stage !== "failed") return;
        stop();
        if (ref === null) reject(new Error(problem ?? "The invite could not be made."));
        else resolve(ref);
      };
      const stop = host.subscribe(look);
      look();
    });
    this.#hosts.set(invite, Promise.resolve(host));
    return invite;
  }

  /** Begins a session among known wallets at once. @throws MoveError, WalletError, HubError, VaultError */
  async openDirect(
    wallet: Address,
    offer: Offer,
    participants: readonly Address[],
    domain?: string,
  ): Promise<Ref> {
    const environment = this.#environment;
    const log = environment.logOf(await environment.walletOf(wallet));
    return openDirectSession(environment, log, offer, participants, domain);
  }

  /** The host of an invite of this browser's, taken up again after a reload. @throws VaultError, WalletError */
  hostOf(invite: Ref): Promise<Host> {
    return once(this.#hosts, invite, async () => {
      const environment = this.#environment;
      const log = environment.logOf(await environment.walletOf(parseRef(invite)!.wallet));
      return resumeHost(environment, log, invite);
    });
  }

  /** Gives up an invite of this browser and stops waiting for guests. */
  async giveUp(invite: Ref): Promise<void> {
    const host = this.#hosts.get(invite);
    this.#hosts.delete(invite);
    (await host?.catch(() => undefined))?.close();
  }

  /** The wallet that joins an invite in this page, if the person has said so. */
  joinsAs(invite: Ref): Address | null {
    return this.#joinsAs.get(invite) ?? null;
  }

  /** @throws VaultError, WalletError */
  joining(invite: Ref, wallet: Address): Promise<Joining> {
    this.#joinsAs.set(invite, wallet);
    return once(this.#joinings, `${invite} ${wallet}`, async () => {
      const environment = this.#environment;
      return joinInvite(environment, environment.logOf(await environment.walletOf(wallet)), invite);
    });
  }

  /** The peer of a seat, or of a watcher, who can never sign and reads by a link's key. @throws VaultError, WalletError */
  peer(session: Ref, seat: Address | null, key: string | null = null): Promise<Peer> {
    return once(this.#peers, `${session} ${seat ?? key ?? ""}`, async () => {
      const environment = this.#environment;
      if (seat === null) return openWatcher(environment, session, readKey(key));
      return openSeat(environment, { session, log: environment.logOf(await environment.walletOf(seat)) });
    });
  }

  /** A watcher looks. */
  stay(session: Ref): void {
    this.#leaving.get(session)?.();
    this.#leaving.delete(session);
  }

  /** A watcher has gone: its peer is closed, unless one comes back at once. A seat's peer stays. */
  leave(session: Ref, key: string | null = null): void {
    const close = () => {
      const watching = `${session} ${key ?? ""}`;
      const peer = this.#peers.get(watching);
      this.#peers.delete(watching);
      void peer?.then(
        (open) => open.close(),
        () => undefined,
      );
    };
    this.#leaving.set(session, this.#environment.clock.after(LEAVE_MS, close));
  }
}

const LEAVE_MS = 1_000;

/** The promise under a key, made when first asked for; one that fails is forgotten, so that it can be tried again. */
function once<K, T>(kept: Map<K, Promise<T>>, key: K, make: () => Promise<T>): Promise<T> {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  made.catch(() => kept.delete(key));
  return made;
}

const lives = new WeakMap<AppEnvironment, Live>();

/** What is alive on this environment. */
export function liveOn(environment: AppEnvironment): Live {
  let live = lives.get(environment);
  if (live === undefined) lives.set(environment, (live = new Live(environment)));
  return live;
}
