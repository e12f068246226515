// The entries of the invite flow (protocol section 4): an offer, its acceptance, the genesis. Each is fetched by the
// ref that pins it and checked before anything rests on it.

import { fail, ok, type Result } from "../core/result.ts";
import { canonicalize, own, type Json, type JsonObject } from "../core/canonical.ts";
import { utf8Length } from "../core/bytes.ts";
import { MAX_ENTRY_BYTES, parseCandidate, type Candidate } from "../core/entry.ts";
import {
  readTerms,
  readTermsBody,
  sameTerms,
  shareOf,
  MAX_PARTICIPANTS,
  PROTOCOL,
  type Domain,
} from "../core/session.ts";
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

export function offerBody({ private: isPrivate, ...offer }: Offer): JsonObject {
  return { ...termsBody(offer), ...(isPrivate === true && { private: true }) };
}

function termsBody({ game, rules, deadline, default_outcome, title }: Offer): JsonObject {
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
  const { seats, private: isPrivate, ...rest } = entry.body;
  const body = Object.fromEntries(Object.entries(rest).filter(([member]) => member !== "name"));
  if (seats !== undefined && !isSeats(seats)) return undefined;
  if (isPrivate !== undefined && isPrivate !== true) return undefined;
  const terms = readTermsBody({ ...body, protocol: PROTOCOL, participants });
  if (!terms.ok || terms.value.domain !== undefined) return undefined;
  const { game, rules, deadline, default_outcome, title } = terms.value;
  return {
    game,
    rules,
    deadline,
    default_outcome,
    ...(title !== undefined && { title }),
    ...(seats !== undefined && { seats }),
    ...(isPrivate === true && { private: isPrivate }),
  };
}

function isSeats(value: Json): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 2 && value <= MAX_PARTICIPANTS;
}

/** Whether an entry accepts that invite. */
export function isAcceptOf(entry: Candidate, invite: Ref): boolean {
  return entry.type === "accept" && entry.refs.includes(invite);
}

/** Body of the genesis, or what is wrong with it: the form, or the rules of the game. */
export function genesisBody(
  offer: Offer,
  participants: readonly Address[],
  domain?: Domain,
): Result<JsonObject, string> {
  const body: JsonObject = {
    ...termsBody(offer),
    protocol: PROTOCOL,
    participants,
    ...(domain !== undefined && { domain: { ...domain } }),
  };
  const terms = readTermsBody(body);
  if (!terms.ok) return fail(`${terms.error.at}: ${terms.error.expected}`);
  const game = gameOf(offer.game);
  if (game === undefined) return fail(`game: this client does not know ${offer.game}`);
  const check = game.checkRules(offer.rules, participants, shareOf(terms.value));
  if (!check.ok) return fail(`${check.error.at}: ${check.error.expected}`);
  const size = utf8Length(canonicalize(body)) + ENTRY_BYTES + (participants.length + 1) * REF_BYTES;
  return domain === undefined || size <= MAX_ENTRY_BYTES
    ? ok(body)
    : fail(
        `participants: fewer than ${participants.length}; the key is sealed to each of them, and a genesis has at most ${MAX_ENTRY_BYTES} bytes`,
      );
}

/** What an entry takes besides its body and refs, and what a ref takes at most. */
const ENTRY_BYTES = 450;
const REF_BYTES = 120;

/**
 * S14. Whether a genesis is the session that a guest has accepted, or what is wrong with it; undefined where it is
 * not about this invite. `isSpent`: an earlier genesis of the host has the same accept among its refs.
 */
export function checkGenesis(
  entry: Candidate,
  invite: Candidate,
  guest: Guest,
  isSpent: boolean,
): Result<Ref, string> | undefined {
  if (entry.type !== "genesis" || !entry.refs.includes(invite.ref)) return undefined;
  const read = readTerms(entry);
  if (!read.ok) return fail(`The host's session is not valid: ${read.error.at}: ${read.error.expected}.`);
  const { participants, game, rules, domain } = read.value;
  if (!participants.includes(guest.wallet) || !entry.refs.includes(guest.accept))
    return fail("The host has started with somebody else.");
  if (!sameTerms(invite.body, entry.body))
    return fail("The host has started a session on other terms than those it offered.");
  const seats = own(invite.body, "seats");
  if (seats !== undefined && seats !== participants.length)
    return fail(
      `The host has started a session with ${participants.length} seats and offered ${typeof seats === "number" ? seats : "none"}.`,
    );
  const accepted = parseRef(guest.accept)!.seq;
  const pinned = entry.refs.map((ref) => parseRef(ref)!).filter(({ wallet }) => wallet === guest.wallet);
  if (pinned.some(({ seq }) => seq > accepted))
    return fail("The host has started a session that names an entry of yours after your accept.");
  const check = gameOf(game)?.checkRules(rules, participants, shareOf(read.value));
  if (check === undefined)
    return fail(`The host has started a game that this client does not know: ${game}.`);
  if (!check.ok)
    return fail(
      `The host has started a session that cannot be played: ${check.error.at}: ${check.error.expected}.`,
    );
  const isPrivate = own(invite.body, "private") === true;
  if (isPrivate && domain === undefined)
    return fail("The host has started an open session and offered a private one.");
  if (!isPrivate && domain !== undefined)
    return fail("The host has started a private session and offered an open one.");
  if (isSpent) return fail("The host has started a second session with the accept of an earlier one.");
  return ok(entry.ref);
}

/**
 * Why no session of so many participants can come of an offer, by its form or by the rules of its game; undefined
 * where one can. The participants are not known yet: others stand for them.
 */
export function offerProblem(offer: Offer, host: Address, seats: number): string | undefined {
  const { default_outcome: outcome } = offer;
  const named = outcome.kind === "award" && outcome.to !== host ? [host, outcome.to] : [host];
  const others = Array.from(
    { length: seats + named.length },
    (_, i): Address => `0x${String(i).padStart(40, "0")}`,
  ).filter((other) => !named.includes(other));
  const participants = [...named, ...others].slice(0, seats);
  const made = genesisBody(
    offer,
    participants,
    offer.private === true ? likeDomain(participants) : undefined,
  );
  return made.ok ? undefined : made.error;
}

/** A domain as large as that of a session of these participants. */
function likeDomain(participants: readonly Address[]): Domain {
  const sealed = `0x${"00".repeat(SEALED_KEY_BYTES)}`;
  return {
    id: "-".repeat(MAX_DOMAIN_NAME),
    key_hash: `0x${"00".repeat(32)}`,
    keys: Object.fromEntries(participants.map((wallet) => [wallet, sealed])),
  };
}

/** ECIES of 32 bytes: ephemeral key, nonce, tag, ciphertext. */
const SEALED_KEY_BYTES = 65 + 16 + 16 + 32;
const MAX_DOMAIN_NAME = 200;

/** Whether two offers are the same to the byte. */
export function equalOffers(a: Offer, b: Offer): boolean {
  return canonicalize(offerBody(a)) === canonicalize(offerBody(b));
}
