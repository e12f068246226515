// "Play again": on the same terms, with the same participants, from the same seat. Where one of them offers that
// already it is joined, so that two who press at once do not wait for each other; else an invite is made.

import type { Address, Ref } from "../../core/values.ts";
import type { View } from "../../core/view.ts";
import type { Offer } from "../../invite/invite.ts";
import { findStanding } from "../../invite/standing-offer.ts";
import { parseRef } from "../../core/values.ts";
import type { AppEnvironment } from "../services/environment.ts";
import { to } from "../routing/routes.ts";
import { navigate } from "../routing/use-route.ts";
import { liveOn } from "./live.ts";

/** The offer that a session's terms were. */
export function offerAgain(view: View): Offer {
  const { game, rules, deadline, default_outcome, title, domain } = view.terms;
  return {
    game,
    rules,
    deadline,
    default_outcome,
    ...(title !== undefined && { title }),
    // With a key of its own.
    ...(domain !== undefined && { private: true }),
  };
}

/** For each participant the first seq after its part of this session: what it offers since stands there. */
export function logsSince(view: View): Map<Address, number> {
  return new Map(
    view.members.map(({ wallet, end, anchor }) => [wallet, end === null ? anchor.seq : end + 1] as const),
  );
}

/**
 * Joins the invite that stands, or makes one and tells the others. `bot`: one of them is the bot, which is called.
 * @throws HubError, WalletError, MoveError
 */
export async function playAgain(
  environment: AppEnvironment,
  { view, me, offer, bot }: { view: View; me: Address; offer: Offer; bot: boolean },
): Promise<void> {
  const { hub, channel } = environment;
  const logs = logsSince(view);
  const standing = await findStanding(hub, logs, offer);
  if (standing !== null && parseRef(standing)!.wallet !== me) return joinInstead(environment, standing, me);
  logs.delete(me);
  const options = { players: view.participants.length, hostPlays: true, expected: logs };
  const invite = standing ?? (await liveOn(environment).host(me, offer, options));
  for (const wallet of logs.keys()) channel?.publish(wallet, invite);
  navigate(to.play(new URLSearchParams({ invite, ...(bot && { bot: "1" }) })));
}

/** Goes to an invite as one who has said yes to these terms already: no second question. */
export function joinInstead(environment: AppEnvironment, invite: Ref, me: Address, replace = false): void {
  void liveOn(environment)
    .joining(invite, me)
    .catch(() => undefined); // the page of the invite says why not
  navigate(to.join(invite), { replace });
}
