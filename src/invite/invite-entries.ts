// The entries of the invite flow (protocol section 4): an offer, its acceptance, the genesis. Each is fetched by the
// ref that pins it and checked before anything rests on it.

import { fail, ok, type Result } from "../core/result.ts";
import { canonicalize, own, type JsonObject } from "../core/canonical.ts";
import { parseCandidate, type Candidate } from "../core/entry.ts";
import { readTerms, readTermsBody, sameOffer, shareOf, PROTOCOL } from "../core/session.ts";
import { checkPlain } from "../core/signature.ts";
import { parseRef, type Address, type Ref } from "../core/values.ts";
import { gameOf } from "../games/judge.ts";
import type { Hub } from "../hub/hub.ts";
import { appendKey, readRecord } from "../hub/log-keys.ts";
import type { Guest, Offer } from "./invite.ts";

/** The entry that a ref pins, its signature checked; undefined where the Hub has not that one. @throws HubError */
export async function fetchEntry(hub: Hub, ref: Ref): Promise<Candidate | undefined> {
  const parts = parseRef(ref);
  if (parts === undefined) return undefined;
  const record = await readRecord(hub, parts.wallet, appendKey(parts.seq));
  if (record === null) return undefined;
  const parsed = parseCandidate(record);
  return parsed.ok && parsed.value.ref === ref && checkPlain(parsed.value).ok ? parsed.value : undefined;
}

export function offerBody({ game, rules, deadline, default_outcome, title }: Offer): JsonObject {
  return {
    game,
    rules,
    deadline,
    default_outcome: { ...default_outcome },
    ...(title !== undefined && { title }),
  };
}

/** What an invite offers, or undefined where the entry is none that a session could come of. */
export function readOffer(entry: Candidate): Offer | undefined {
  if (entry.type !== "invite") return undefined;
  const award = own(entry.body, "default_outcome");
  const to = typeof award === "object" && award !== null ? (award as JsonObject)["to"] : undefined;
  // The participants are not known yet: any that the default may name will do for the check.
  const participants = typeof to === "string" && to !== entry.wallet ? [entry.wallet, to] : [entry.wallet];
  const terms = readTermsBody({ ...entry.body, protocol: PROTOCOL, participants });
  if (!terms.ok || terms.value.domain !== undefined) return undefined;
  const { game, rules, deadline, default_outcome, title } = terms.value;
  return { game, rules, deadline, default_outcome, ...(title !== undefined && { title }) };
}

/** Whether an entry accepts that invite. */
export function isAcceptOf(entry: Candidate, invite: Ref): boolean {
  return entry.type === "accept" && entry.refs.includes(invite);
}

/** Body of the genesis, or what is wrong with it: the form, or the rules of the game. */
export function genesisBody(offer: Offer, participants: readonly Address[]): Result<JsonObject, string> {
  const body = { ...offerBody(offer), protocol: PROTOCOL, participants };
  const terms = readTermsBody(body);
  if (!terms.ok) return fail(`${terms.error.at}: ${terms.error.expected}`);
  const game = gameOf(offer.game);
  if (game === undefined) return fail(`game: this client does not know ${offer.game}`);
  const check = game.checkRules(offer.rules, participants, shareOf(terms.value));
  return check.ok ? ok(body) : fail(`${check.error.at}: ${check.error.expected}`);
}

/** What a genesis of the host means for a guest that has accepted. */
export function genesisFor(
  entry: Candidate,
  invite: Candidate,
  guest: Guest,
): "ours" | "without-us" | "other-terms" | "unrelated" {
  if (entry.type !== "genesis" || !entry.refs.includes(invite.ref)) return "unrelated";
  const terms = readTerms(entry);
  if (!terms.ok) return "unrelated";
  if (!terms.value.participants.includes(guest.wallet) || !entry.refs.includes(guest.accept))
    return "without-us";
  return sameOffer(invite.body, entry.body) ? "ours" : "other-terms";
}

/** Whether two offers are the same to the byte. */
export function equalOffers(a: Offer, b: Offer): boolean {
  return canonicalize(offerBody(a)) === canonicalize(offerBody(b));
}
