// Whether a wallet offers a session now: its invite stands until it begins a session or accepts another's offer, so
// what its log says last decides. Two who offer each other the same at once come together by one rule: the lowest ref.

import type { Candidate } from "../core/entry.ts";
import type { Address, Ref } from "../core/values.ts";
import type { HubError } from "../hub/hub-error.ts";
import type { Hub } from "../hub/hub.ts";
import { equalOffers, readOffer } from "./invite-entries.ts";
import type { Offer } from "./invite.ts";
import { LogTail } from "../log/log-tail.ts";

/** One wallet's log as it grows: its acceptances, and its offer while that stands. */
export class OfferTail {
  readonly #tail: LogTail;
  #last: Candidate | null = null;

  constructor(hub: Hub, wallet: Address, fromSeq: number) {
    this.#tail = new LogTail(hub, wallet, fromSeq);
  }

  /** Acceptances that came since, each once, and the failure that ended the reading. */
  async read(): Promise<{ readonly accepts: readonly Candidate[]; readonly failed: HubError | null }> {
    const { entries, failed } = await this.#tail.read(["invite", "accept", "genesis"]);
    for (const entry of entries) if (entry.seq > (this.#last?.seq ?? -1)) this.#last = entry;
    return { accepts: entries.filter(({ type }) => type === "accept"), failed };
  }

  /** The wallet's invite on exactly these terms, if it stands. */
  standingOn(offer: Offer): Ref | null {
    const theirs = this.#last?.type === "invite" ? readOffer(this.#last) : undefined;
    return theirs !== undefined && equalOffers(theirs, offer) ? this.#last!.ref : null;
  }
}

/** The one of several standing invites that all come to, whoever looks: the lowest ref. */
export function meetingPoint(standing: Iterable<Ref | null>): Ref | null {
  let lowest: Ref | null = null;
  for (const ref of standing) if (ref !== null && (lowest === null || ref < lowest)) lowest = ref;
  return lowest;
}

/**
 * The invite on these terms that stands among some wallets, each log read from the given seq on; null where none does.
 * @throws HubError where a log cannot be read
 */
export async function findStanding(
  hub: Hub,
  logs: ReadonlyMap<Address, number>,
  offer: Offer,
): Promise<Ref | null> {
  const standing: (Ref | null)[] = [];
  for (const [wallet, fromSeq] of logs) {
    const tail = new OfferTail(hub, wallet, fromSeq);
    const { failed } = await tail.read();
    if (failed !== null) throw failed;
    standing.push(tail.standingOn(offer));
  }
  return meetingPoint(standing);
}
