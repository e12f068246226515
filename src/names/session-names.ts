// What the wallets of a session are called, the same in every place: "You" for the reader's own seat, then the name that
// the reader has given, "Bot", the name that the wallet claims (in quotation marks), else "Player 1" by seat. Pure.

import { checksumAddress, type Address } from "../core/values.ts";
import { YOU } from "../games/describe.ts";
import { findLookAlikes, haveSameEnds } from "./look-alikes.ts";
import type { Skeleton } from "./skeleton.ts";

export type NameKind = "you" | "given" | "bot" | "claimed" | "seat" | "address";

export interface ShownName {
  readonly wallet: Address;
  /** As it stands in a sentence, quotation marks included. */
  readonly text: string;
  readonly kind: NameKind;
  /** Another name or address beside it looks the same: both are marked and shown in full. */
  readonly alike: boolean;
  /** Index among the participants, for the colour; undefined for others. */
  readonly seat: number | undefined;
}

export interface SessionNames {
  readonly participants: readonly Address[];
  /** The reader's own seat. */
  readonly me: Address | null;
  look(wallet: Address): ShownName;
  /** The name alone, with the whole address where it looks like another: for sentences. */
  readonly nameOf: (wallet: Address) => string;
}

export interface NameSources {
  readonly participants: readonly Address[];
  readonly me?: Address | null;
  readonly bot?: Address | null;
  /** Names that the reader has given, own keys included. */
  readonly given?: ReadonlyMap<Address, string>;
  /** Names that wallets claim in their invites and accepts (`claimedNames`). */
  readonly claimed?: ReadonlyMap<Address, string>;
  /** Compares texts; where it is not loaded yet, only equal texts look alike. */
  readonly skeletonOf?: Skeleton;
}

export const BOT = "Bot";

/** Names that are given by seat or role, so nobody else may be given one. */
export function isReservedName(name: string, skeletonOf: Skeleton): boolean {
  const fold = (text: string): string => skeletonOf(text.trim()).toLowerCase();
  const isRole = [YOU, BOT].some((word) => fold(word) === fold(name));
  return isRole || /^player\s*\d+$/i.test(name.trim());
}

export function sessionNames(sources: NameSources): SessionNames {
  const { participants, me = null, skeletonOf = (text) => text } = sources;
  const plain = participants.map((wallet) => plainName(sources, wallet));
  const alike = findAlike(participants, plain, skeletonOf);
  const shown = new Map(
    participants.map((wallet, seat): [Address, ShownName] => [
      wallet,
      { wallet, ...plain[seat]!, alike: alike.has(seat), seat },
    ]),
  );
  const look = (wallet: Address): ShownName => shown.get(wallet) ?? lookAtOther(sources, wallet);
  const nameOf = (wallet: Address): string => {
    const { text, kind, alike: isAlike } = look(wallet);
    return isAlike && kind !== "you" ? `${text} (${checksumAddress(wallet)})` : text;
  };
  return { participants, me, look, nameOf };
}

type Plain = Pick<ShownName, "text" | "kind">;

function plainName(sources: NameSources, wallet: Address): Plain {
  const { me, bot, given, claimed, participants } = sources;
  if (wallet === me) return { kind: "you", text: YOU };
  const own = given?.get(wallet);
  if (own !== undefined) return { kind: "given", text: own };
  if (wallet === bot) return { kind: "bot", text: BOT };
  const claim = claimed?.get(wallet);
  if (claim !== undefined) return { kind: "claimed", text: `“${claim}”` };
  const seat = participants.indexOf(wallet);
  if (seat >= 0) return { kind: "seat", text: `Player ${seat + 1}` };
  const text = checksumAddress(wallet);
  return { kind: "address", text: `${text.slice(0, 8)}…${text.slice(-6)}` };
}

/** A wallet without a seat: whoever made the session, or is named in an entry. */
function lookAtOther(sources: NameSources, wallet: Address): ShownName {
  const alike = sources.participants.some((other) => haveSameEnds(wallet, other));
  return { wallet, ...plainName(sources, wallet), alike, seat: undefined };
}

/** Seats whose name or address looks like another's. A claim that looks like a name given by role counts too. */
function findAlike(
  participants: readonly Address[],
  plain: readonly Plain[],
  skeletonOf: Skeleton,
): ReadonlySet<number> {
  const bare = plain.map(({ kind, text }) => (kind === "claimed" ? text.slice(1, -1) : text));
  const alike = new Set(findLookAlikes(bare, skeletonOf));
  plain.forEach(({ kind }, i) => {
    if ((kind === "claimed" || kind === "given") && isReservedName(bare[i]!, skeletonOf)) alike.add(i);
    if (participants.some((other) => haveSameEnds(participants[i]!, other))) alike.add(i);
  });
  return alike;
}
