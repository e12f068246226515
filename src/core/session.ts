// The genesis of a session: what its body must hold, checked once, and the terms that follow from it.

import { codePoints } from "./bytes.ts";
import { canonicalize, isObject, own, type Json, type JsonObject } from "./canonical.ts";
import type { Candidate } from "./entry.ts";
import { fail, ok, type Failure, type Result } from "./result.ts";
import { isAddress, isHash, parseRef, type Address, type Hash } from "./values.ts";

export const PROTOCOL = "coop/1";
export const MAX_PARTICIPANTS = 128;
export const MAX_DEADLINE = 100_000;
export const MAX_TITLE = 200;

/** What applies when the session is closed and moves are still owed. */
export type DefaultOutcome =
  { readonly kind: "void" } | { readonly kind: "forfeit" } | { readonly kind: "award"; readonly to: Address };

/** A sealed session's domain: the key's hash, and the key sealed to each member's public key (hex of ECIES). */
export interface Domain {
  readonly id: string;
  readonly key_hash: Hash;
  readonly keys: { readonly [member: Address]: string };
}

/** The checked body of a genesis. */
export interface Terms {
  readonly game: string;
  readonly rules: JsonObject;
  readonly participants: readonly Address[];
  /** Entry budget N of the session, the genesis included. */
  readonly deadline: number;
  readonly default_outcome: DefaultOutcome;
  readonly title?: string;
  readonly domain?: Domain;
}

/** Why an entry is no genesis: the member that is wrong, what was expected. */
export interface BadGenesis {
  readonly code: "bad-genesis";
  readonly at: string;
  readonly expected: string;
}

const MEMBERS = [
  "protocol",
  "game",
  "rules",
  "participants",
  "deadline",
  "default_outcome",
  "title",
  "domain",
];

/** Each participant's share of the budget: q = floor((N-1)/P) entries. */
export function shareOf(terms: {
  readonly deadline: number;
  readonly participants: readonly Address[];
}): number {
  return Math.floor((terms.deadline - 1) / terms.participants.length);
}

/** The terms of a genesis entry. Afterwards every member has its form; the rules are the game's to check. */
export function readTerms(entry: Candidate): Result<Terms, BadGenesis> {
  if (entry.type !== "genesis") return bad("type", "genesis");
  const pinned = new Map<string, Hash>();
  for (const ref of entry.refs) {
    const { wallet, seq, hash } = parseRef(ref)!;
    const place = `${wallet}:${seq}`;
    if ((pinned.get(place) ?? hash) !== hash) return bad("refs", "one hash for one place in a log");
    pinned.set(place, hash);
  }
  return readTermsBody(entry.body);
}

/** The same for a body alone, as a form or an invite makes it. */
export function readTermsBody(body: JsonObject): Result<Terms, BadGenesis> {
  for (const key of Object.keys(body)) if (!MEMBERS.includes(key)) return bad(key, "no such member");
  const game = own(body, "game");
  const rules = own(body, "rules");
  const deadline = own(body, "deadline");
  const title = own(body, "title");
  const domain = own(body, "domain");
  if (own(body, "protocol") !== PROTOCOL) return bad("protocol", PROTOCOL);
  if (!isText(game, 1, 32)) return bad("game", "a name of 1 to 32 characters");
  if (!isObject(rules)) return bad("rules", "an object");
  const participants = readParticipants(own(body, "participants"));
  if (participants === undefined) return bad("participants", `1 to ${MAX_PARTICIPANTS} different addresses`);
  const least = participants.length + 1;
  if (
    typeof deadline !== "number" ||
    !Number.isInteger(deadline) ||
    deadline < least ||
    deadline > MAX_DEADLINE
  )
    return bad("deadline", `an integer from ${least} to ${MAX_DEADLINE}`);
  const outcome = readDefault(own(body, "default_outcome"), participants);
  if (outcome === undefined) return bad("default_outcome", "void, forfeit, or award to a participant");
  if (title !== undefined && !isText(title, 0, MAX_TITLE))
    return bad("title", `0 to ${MAX_TITLE} characters`);
  const read = domain === undefined ? undefined : readDomain(domain);
  if (domain !== undefined && read === undefined) return bad("domain", "exactly id, key_hash and keys");
  return ok({
    game,
    rules,
    participants,
    deadline,
    default_outcome: outcome,
    ...(title !== undefined && { title }),
    ...(read !== undefined && { domain: read }),
  });
}

/** Whether an invite offers what a genesis then set: the same terms and, where it names them, as many seats. */
export function sameOffer(invite: JsonObject, genesis: JsonObject): boolean {
  const seats = own(invite, "seats");
  const participants = own(genesis, "participants");
  if (seats !== undefined && !(Array.isArray(participants) && participants.length === seats)) return false;
  return sameTerms(invite, genesis);
}

/** Whether game, rules, deadline and default_outcome are equal in canonical form. */
export function sameTerms(invite: JsonObject, genesis: JsonObject): boolean {
  return ["game", "rules", "deadline", "default_outcome"].every((member) => {
    const a = own(invite, member);
    const b = own(genesis, member);
    return a !== undefined && b !== undefined && canonicalize(a) === canonicalize(b);
  });
}

function readParticipants(value: Json | undefined): readonly Address[] | undefined {
  if (!Array.isArray(value) || value.length < 1 || value.length > MAX_PARTICIPANTS) return undefined;
  const list = value as readonly Json[];
  return list.every(isAddress) && new Set(list).size === list.length ? list : undefined;
}

function readDefault(value: Json | undefined, participants: readonly Address[]): DefaultOutcome | undefined {
  if (!isObject(value)) return undefined;
  const members = Object.keys(value).length;
  const kind = own(value, "kind");
  if ((kind === "void" || kind === "forfeit") && members === 1) return { kind };
  const to = own(value, "to");
  if (kind === "award" && members === 2 && isAddress(to) && participants.includes(to)) return { kind, to };
  return undefined;
}

function readDomain(value: Json): Domain | undefined {
  if (!isObject(value) || Object.keys(value).length !== 3) return undefined;
  const id = own(value, "id");
  const hash = own(value, "key_hash");
  const keys = own(value, "keys");
  if (!isText(id, 1, 200) || !isHash(hash) || !isObject(keys)) return undefined;
  for (const [member, sealed] of Object.entries(keys))
    if (!isAddress(member) || typeof sealed !== "string" || !/^0x([0-9a-f]{2})+$/.test(sealed))
      return undefined;
  return { id, key_hash: hash, keys: keys as Domain["keys"] };
}

/** Whether a value is a text of that many code points. */
export function isText(value: Json | undefined, least: number, most: number): value is string {
  if (typeof value !== "string" || value.length < least || value.length > 2 * most) return false;
  const length = codePoints(value);
  return length >= least && length <= most;
}

function bad(at: string, expected: string): Failure<BadGenesis> {
  return fail({ code: "bad-genesis", at, expected });
}
