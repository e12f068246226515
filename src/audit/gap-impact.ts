// Whether what is missing could change a verdict: "could not" only where the rules say so for whatever one entry at each
// empty place may hold; in every other case "could". The proof of a fork is excepted: two entries at one place can always
// change a verdict. Records that an evidence entry would carry along count as found elsewhere.

import { isMove } from "../core/members.ts";
import { formatRef, parseRef, type Address, type Ref } from "../core/values.ts";
import type { Member, View } from "../core/view.ts";
import type { NameOf } from "../games/describe.ts";
import type { Verdict } from "../games/game.ts";

/** Something missing. `to: null`: up to whatever the log's end may be. */
export type Missing =
  | { readonly kind: "places"; readonly wallet: Address; readonly from: number; readonly to: number | null }
  /** An entry by its ref, which somebody's refs name. */
  | { readonly kind: "ref"; readonly ref: Ref }
  /** An entry that does not name its predecessor's hash, though both are here. */
  | { readonly kind: "link"; readonly wallet: Address; readonly seq: number }
  /** Something was not read that may hold entries of anybody. */
  | { readonly kind: "anything" };

/** Why something missing could not change the verdict. */
export type HarmlessCode =
  | "other-wallet" // no participant's, and nothing that the genesis pins to show who joined
  | "before-anchor" // before the place at which the session begins for its author
  | "beyond-share" // its author's share was used up before it: late, and nothing waits for it
  | "void" // after its author's fork: it does not count, and the session is closed already or decided
  | "no-move" // the entry is here and is no move of this session
  | "there" // an entry stands at that place: another one would be a fork
  | "link" // only another version of an entry could mend a broken link: a fork
  | "final" // the verdict is final
  | "not-waited" // decided, and nobody who could still change it is held up by this
  | "no-verdict"; // the rules or the game allow no verdict, whatever comes

/** Why it could. */
export type OpenCode =
  | "open" // moves are still owed
  | "waited" // `wallets` could still change the outcome
  | "faulty-gap" // a wallet that forked has a hole before its fork, which may move
  | "latent-fork" // a fork lies beyond the wallet's last move: a later move would bring it into the session
  | "sealed"; // the verdict is not known here

export type GapWeight =
  | { readonly could: false; readonly why: HarmlessCode; readonly wallets: readonly Address[] }
  | { readonly could: true; readonly why: OpenCode; readonly wallets: readonly Address[] };

/** What a participant's gap code says is missing; null without one. */
export function missingOf(view: View, { wallet, gap, anchor }: Member): Missing | null {
  if (gap === null) return null;
  if (gap.code === "bad-prev") return { kind: "link", wallet, seq: gap.seq };
  if (gap.code === "bad-anchor") return { kind: "ref", ref: formatRef(wallet, anchor.seq, anchor.hash!) };
  let to: number | null = null;
  for (const { wallet: author, seq } of view.entries.values())
    if (author === wallet && seq > gap.seq && (to === null || seq <= to)) to = seq - 1;
  return { kind: "places", wallet, from: gap.seq, to };
}

/** A function that weighs what is missing in this view. Its first answer walks the entries once, the others look up. */
export function weigher(view: View, verdict: Verdict): (missing: Missing) => GapWeight {
  let scale: Scale | undefined;
  return (missing) => (scale ??= new Scale(view, verdict)).weigh(missing);
}

interface Range {
  readonly wallet: Address;
  readonly from: number;
  readonly to: number;
}

class Scale {
  readonly #view: View;
  readonly #verdict: Verdict;
  readonly #members: ReadonlyMap<Address, Member>;
  /** Seqs at which a valid entry is here, by wallet. */
  readonly #places = new Map<Address, Set<number>>();
  /** Participants with two entries at one place after the session's part of their logs. */
  readonly #latent = new Set<Address>();
  readonly #pinned: readonly Ref[];
  /** Authors of what waits. */
  readonly #held: ReadonlySet<Address>;
  readonly #gaps = new Map<Address, Missing | null>();
  #able: readonly Address[] | undefined;

  constructor(view: View, verdict: Verdict) {
    this.#view = view;
    this.#verdict = verdict;
    this.#members = new Map(view.members.map((member) => [member.wallet, member]));
    for (const { wallet, seq } of view.entries.values()) {
      const places = this.#places.get(wallet) ?? new Set<number>();
      const member = this.#member(wallet);
      if (places.has(seq) && member?.fault === null && seq >= member.anchor.seq) this.#latent.add(wallet);
      this.#places.set(wallet, places.add(seq));
    }
    this.#held = new Set(view.pending.map(({ entry }) => entry.wallet));
    this.#pinned = view.genesis.refs.filter((ref) => !view.entries.has(ref));
  }

  weigh(missing: Missing): GapWeight {
    switch (missing.kind) {
      case "link":
        return no("link", missing.wallet);
      case "anything":
        return this.#byVerdict(this.#view.participants, [...this.#latent]);
      case "ref":
        return this.#weighRef(missing.ref);
      case "places":
        return this.#weighPlaces(missing.wallet, missing.from, missing.to ?? Infinity);
    }
  }

  #weighRef(ref: Ref): GapWeight {
    const { wallet, seq } = parseRef(ref)!;
    const entry = this.#view.entries.get(ref);
    const member = this.#member(wallet);
    if (entry === undefined) return this.#weighPlaces(wallet, seq, seq);
    if (member === undefined || seq < member.anchor.seq || !isMove(entry, this.#view.session))
      return no("no-move", wallet);
    // It is here and a move: what is missing stands before it in its author's log.
    if (!this.#gaps.has(wallet)) this.#gaps.set(wallet, missingOf(this.#view, member));
    const before = this.#gaps.get(wallet);
    return before == null ? no("there", wallet) : this.weigh(before);
  }

  #weighPlaces(wallet: Address, first: number, last: number): GapWeight {
    const range = this.#empty(wallet, first, last);
    if (range === null) return no("there", wallet);
    const member = this.#member(wallet);
    const joining = this.#joining(range);
    const [before, starts] =
      member === undefined
        ? [true, "other-wallet" as const]
        : [range.to < member.anchor.seq, "before-anchor" as const];
    if (before || member === undefined)
      return joining.length === 0 ? no(starts, wallet) : this.#byVerdict(joining, []);
    const { fault } = member;
    if (fault !== null && range.from > fault.seq)
      return this.#view.closed ? no("void", wallet) : this.#byVerdict([], [], "void", wallet);
    if (joining.length === 0 && this.#isBeyondShare(member, range)) return no("beyond-share", wallet);
    // Whatever waits may be released, by any author.
    const touched = [wallet, ...joining, ...this.#held];
    const isLatent = this.#latent.has(wallet) && range.to > (member.end ?? -1);
    return this.#byVerdict(touched, isLatent ? [wallet] : []);
  }

  /** What the verdict itself leaves open to these wallets. */
  #byVerdict(
    touched: readonly Address[],
    latent: readonly Address[],
    harmless: HarmlessCode = "not-waited",
    ...about: readonly Address[]
  ): GapWeight {
    const verdict = this.#verdict;
    if (!verdict.ok) return verdict.code === "sealed" ? yes("sealed") : no("no-verdict");
    if (verdict.status === "pending") return yes("open");
    const { members } = this.#view;
    const holed = members.filter(({ fault, gap }) => fault !== null && gap !== null);
    if (holed.length > 0) return yes("faulty-gap", ...holed.map(({ wallet }) => wallet));
    if (latent.length > 0) return yes("latent-fork", ...latent);
    if (verdict.finality === "final") return no(harmless === "void" ? "void" : "final", ...about);
    const able = (this.#able ??= verdict.waiting.filter((wallet) => !this.#isSilent(this.#member(wallet)!)));
    const held = able.filter((wallet) => touched.includes(wallet));
    return held.length > 0 ? yes("waited", ...held) : no(harmless, ...(about.length > 0 ? about : able));
  }

  /** The range without known places at its ends, which only a fork could fill; null if no place of it is empty. */
  #empty(wallet: Address, first: number, last: number): Range | null {
    const places = this.#places.get(wallet);
    let [from, to] = [first, last];
    while (from <= to && places?.has(from) === true) from++;
    while (to > from && places?.has(to) === true) to--;
    return from > to ? null : { wallet, from, to };
  }

  /** Participants that an entry in this range, pinned by the genesis, could show to have joined. */
  #joining({ wallet, from, to }: Range): readonly Address[] {
    const isPinned = this.#pinned.some((ref) => {
      const place = parseRef(ref)!;
      return place.wallet === wallet && place.seq >= from && place.seq <= to;
    });
    if (!isPinned) return [];
    return this.#view.members.filter(({ joined }) => !joined).map((member) => member.wallet);
  }

  /** Its author's share was used up before, and no entry waits for anything that could be released. */
  #isBeyondShare(member: Member, { from }: Range): boolean {
    if (member.fault !== null || this.#view.pending.length > 0) return false;
    return this.#movesBefore(member, from) >= this.#view.share;
  }

  /** Whether no entry of the participant can count any more: it forked, or all in its share are in their places. */
  #isSilent(member: Member): boolean {
    if (member.fault !== null) return true;
    if (this.#held.has(member.wallet)) return false;
    return this.#movesBefore(member, Infinity) >= this.#view.share;
  }

  #movesBefore({ segment }: Member, seq: number): number {
    return segment.filter((entry) => entry.seq < seq && isMove(entry, this.#view.session)).length;
  }

  #member(wallet: Address): Member | undefined {
    return this.#members.get(wallet);
  }
}

function no(why: HarmlessCode, ...wallets: readonly Address[]): GapWeight {
  return { could: false, why, wallets };
}

function yes(why: OpenCode, ...wallets: readonly Address[]): GapWeight {
  return { could: true, why, wallets };
}

/** The weight as a sentence about "it". */
export function describeWeight({ could, why, wallets }: GapWeight, nameOf: NameOf): string {
  const who = wallets.map(nameOf).join(", ");
  if (!could) return `It could not change the verdict: ${HARMLESS[why](who)}.`;
  if (why === "sealed") return "Whether it could change the verdict can’t be said without the session’s key.";
  return `It could change the verdict: ${OPEN[why](who)}.`;
}

const HARMLESS: { readonly [code in HarmlessCode]: (who: string) => string } = {
  "other-wallet": (who) => `${who} is no participant, so nothing there counts in this session`,
  "before-anchor": (who) => `it lies before the place at which the session begins for ${who}`,
  "beyond-share": (who) => `${who} had used up its share before that place, so whatever stands there is late`,
  void: (who) => `${who} forked its log before that place, so nothing from there on counts`,
  "no-move": () => "that entry is here and is no move of this session, so what refers to it waits for ever",
  there: () => "an entry of that place is here; another one would be a fork",
  link: () => "both entries are here, and another version of either would be a fork",
  final: () => "the verdict is final",
  "not-waited": (who) => `of those who could still change it (${who}) nothing is held up by this`,
  "no-verdict": () => "there is none, whatever comes: the game or its rules allow no verdict",
};

const OPEN: { readonly [code in Exclude<OpenCode, "sealed">]: (who: string) => string } = {
  open: () => "moves are still owed",
  waited: (who) => `${who} could still change the outcome`,
  "faulty-gap": (who) => `${who} forked its log, and what stands before the fork is not all here`,
  "latent-fork": (who) =>
    `a fork of ${who} lies beyond its last move, and a later move would bring it into the session`,
};
