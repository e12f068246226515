// From the checked form to the waiting room, or, among known wallets, to the board.

import type { Address } from "../../../core/values.ts";
import type { AppEnvironment } from "../../services/environment.ts";
import { to } from "../../routing/routes.ts";
import { navigate } from "../../routing/use-route.ts";
import { callBot } from "../page-bot.ts";
import { liveOn } from "../live.ts";
import { checkForm, type Form } from "./form.ts";

/** @throws Error where it could not be signed or published */
export async function begin(environment: AppEnvironment, form: Form, me: Address): Promise<void> {
  const checked = checkForm(form, me);
  if (!checked.ok) throw new Error(`${checked.at}: expected ${checked.expected}`);
  const live = liveOn(environment);
  const name = form.isPrivate ? form.domain.trim() : "";
  const domain = name === "" ? undefined : name;
  if (form.with === "known") {
    const session = await live.openDirect(me, checked.offer, checked.participants, domain);
    const seat = form.plays ? { as: me } : { watch: "1" };
    return navigate(to.board(session, new URLSearchParams({ ...seat })), { replace: true });
  }
  const invite = await live.host(me, checked.offer, {
    players: checked.seats,
    hostPlays: form.plays,
    ...(domain !== undefined && { domain }),
  });
  const params = new URLSearchParams({ invite });
  if (form.with === "bot") {
    params.set("bot", "1");
    await callBot(environment, invite);
  }
  if (form.with === "friend" && form.open) params.set("lobby", "1");
  navigate(to.play(params), { replace: true });
}
