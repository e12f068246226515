// The view of a session: a pure function of a bag of records and a session id (docs/protocol.md, View).

import { readBag, type Bag, type ReadOptions, type Record } from "./bag.ts";
import type { Entry } from "./entry.ts";
import { trackSteps } from "./members.ts";
import { placeSteps, type Placed } from "./placing.ts";
import { fitsDomain, openBody, type DomainKey } from "./sealed.ts";
import { finish, type Steps } from "./steps.ts";
import { readTerms, shareOf, type Terms } from "./session.ts";
import type { Ref } from "./values.ts";
import type { Move, NoView, View } from "./view.ts";

export interface BuildOptions extends ReadOptions {
  /** Opens a sealed session; without it such a view is `sealed`. */
  readonly domain?: DomainKey | undefined;
}

/** Reads the records and assembles the view. The order and repetition of records never matter. */
export function buildView(records: Iterable<Record>, session: Ref, options: BuildOptions): View | NoView {
  return assembleView(readBag(records, options), session, options.domain);
}

/** The view of a bag that is already read. */
export function assembleView(bag: Bag, session: Ref, domain?: DomainKey): View | NoView {
  return finish(assembleSteps(bag, session, domain));
}

/** The same in steps, for callers with something else to do in between: what it returns in the end is the view. */
export function* assembleSteps(bag: Bag, session: Ref, domain?: DomainKey): Steps<View | NoView> {
  const { entries, rejected, unchecked, level } = bag;
  const genesis = entries.get(session);
  if (genesis === undefined) return { ok: false, code: "no-genesis", rejected, unchecked };
  const read = readTerms(genesis);
  if (!read.ok) return { ok: false, code: "bad-genesis", why: read.error, rejected, unchecked };
  const terms = read.value;
  if (terms.domain !== undefined && domain !== undefined && !fitsDomain(terms.domain, domain.key))
    return { ok: false, code: "bad-key", rejected, unchecked };

  const share = shareOf(terms);
  const tracks = yield* trackSteps(genesis, terms, share, entries);
  const members = tracks.map(({ member }) => member);
  const { order: placed, pending } = yield* placeSteps(tracks, session);
  const order: Move[] = [];
  for (const one of placed) {
    order.push(moveOf(one, session, share, terms, domain));
    if (order.length % STEP === 0) yield;
  }
  return {
    ok: true,
    session,
    genesis,
    terms,
    participants: terms.participants,
    share,
    level,
    members,
    order,
    pending,
    rejected,
    unchecked,
    entries,
    closed: members.some(({ spent }) => spent),
    complete: members.every(({ gap }) => gap === null) && pending.length === 0 && unchecked.length === 0,
    sealed: terms.domain !== undefined && domain === undefined,
  };
}

/** Moves made in one step. */
const STEP = 256;

function moveOf(
  placed: Placed,
  session: Ref,
  share: number,
  terms: Terms,
  domain: DomainKey | undefined,
): Move {
  const { entry, place } = placed;
  const isSealed = terms.domain !== undefined && domain !== undefined && entry.type !== "evidence";
  const opened = isSealed ? openBody(entry, session, domain) : entry.body;
  return {
    ...placed,
    ref: entry.ref,
    inTime: place <= share,
    body: opened ?? {},
    unopened: opened === undefined,
  };
}

/**
 * The view as it was when only the first `count` entries of the order were there: what is not of the session
 * (the genesis, accepts, others' entries) stays. With all of them it is the view itself, forks and pending
 * entries included.
 */
export function cutView(view: View, count: number, domain?: DomainKey): View {
  if (count >= view.order.length) return view;
  return keepMoves(view, new Set(view.order.slice(0, count).map(({ ref }) => ref)), domain);
}

/** The view of those who hold, of the session's moves, only the ones named (parents included, or they stay pending). */
export function keepMoves(view: View, kept: ReadonlySet<Ref>, domain?: DomainKey): View {
  return finish(keepSteps(view, kept, domain));
}

/** The same in steps. */
export function* keepSteps(view: View, kept: ReadonlySet<Ref>, domain?: DomainKey): Steps<View> {
  const entries = new Map<Ref, Entry>();
  let looked = 0;
  for (const [ref, entry] of view.entries) {
    if (kept.has(ref) || !entry.refs.includes(view.session)) entries.set(ref, entry);
    if (++looked % STEP === 0) yield;
  }
  const cut = yield* assembleSteps({ ...view, entries }, view.session, domain);
  if (!cut.ok) throw new Error("a cut keeps the genesis");
  return cut;
}
