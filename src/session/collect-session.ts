// All records of a session, from any number of Hubs: the genesis, what it pins, each participant's log from its
// anchor on, and the copies that the participants keep of each other's entries. It fetches and names what it could
// not fetch; it verifies nothing, and whoever builds the view does.

import { parseCandidate, type Candidate, type Rejection } from "../core/entry.ts";
import type { Result } from "../core/result.ts";
import { readTerms, type Terms } from "../core/session.ts";
import { parseRef, type Address, type Hash, type Ref, type RefParts } from "../core/values.ts";
import { HubError } from "../hub/hub-error.ts";
import type { Hub } from "../hub/hub.ts";
import { appendKey, claimOf, mirrorConversation, readRecord } from "../hub/log-keys.ts";
import {
  asFailure,
  readConversation,
  readingFrom,
  readLog,
  type LogReading,
  type ReadLimits,
  type ReadNote,
} from "../hub/read-log.ts";

/** A fact about what one Hub served of one wallet's space. */
export type CollectNote = {
  readonly hub: string;
  /** In whose space. */
  readonly owner: Address;
  readonly what: "genesis" | "log" | "mirror" | "ref";
} & (
  | ReadNote
  /** The place that a ref names is empty. */
  | { readonly kind: "missing"; readonly ref: Ref }
  /** At the place that a ref names lies something else. */
  | { readonly kind: "other"; readonly ref: Ref; readonly found: Ref | null }
);

/** How far one reading got, for the next to go on from. Opaque. */
export interface Cursor {
  readonly readings: ReadonlyMap<string, LogReading>;
}

export interface Collected {
  /** Wire texts as they came, each once. */
  readonly records: readonly string[];
  readonly notes: readonly CollectNote[];
  readonly cursor: Cursor;
}

/** Where a record was served: by which Hub, in whose space, as part of what. */
export interface RecordOrigin {
  readonly hub: string;
  readonly owner: Address;
  readonly what: CollectNote["what"];
}

export interface CollectLimits extends ReadLimits {
  /** Records of the whole session. */
  readonly total: number;
  /** UTF-16 units of them. */
  readonly totalUnits: number;
}

export const COLLECT_LIMITS: CollectLimits = {
  records: 200_000,
  units: 256 * 1024 * 1024,
  pointReads: 1024,
  total: 400_000,
  totalUnits: 384 * 1024 * 1024,
};

export interface CollectOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: {
    readonly records: number;
    readonly done: number;
    readonly total: number;
  }) => void;
  /** Told of every record as it is served, again and again too, and of whose space it lay in. */
  readonly onRecord?: (record: string, from: RecordOrigin) => void;
  /** Records already held: they come first in the result, and the genesis may be among them. */
  readonly known?: Iterable<string>;
  /** Wallets that may hold a copy of the genesis, asked where its author's log lacks it. */
  readonly witnesses?: readonly Address[];
  /** Cursor of an earlier reading of the same Hubs: only what was written since is fetched. Needs the records of before as `known`. */
  readonly since?: Cursor;
  readonly limits?: Partial<CollectLimits>;
  /** Looks up what was parsed before; by default the few records that are read here are parsed here. */
  readonly parse?: (wire: string) => Result<Candidate, Rejection>;
  /** Wallet spaces read at once. */
  readonly concurrency?: number;
}

/**
 * Collects a session. `hubs` are read one and all: none is more trusted than another.
 * @throws HubError `aborted` only; every other failure is a note
 */
export async function collectSession(
  hubs: readonly Hub[],
  session: Ref,
  options: CollectOptions = {},
): Promise<Collected> {
  const place = parseRef(session);
  if (place === undefined) throw new HubError("bad-request", `no session id: ${String(session)}`);
  const collection = new Collection(options);
  for (const record of options.known ?? []) collection.add(record);
  if (collection.find(session) === undefined || options.since === undefined)
    await Promise.all(hubs.map((hub) => readPlace(collection, hub, session, place, "genesis")));
  if (collection.find(session) === undefined)
    await Promise.all(
      hubs.flatMap((hub) =>
        (options.witnesses ?? []).map((owner) => readMirror(collection, hub, owner, place.hash)),
      ),
    );
  const genesis = collection.find(session);
  const read = genesis === undefined ? undefined : readTerms(genesis);
  if (genesis === undefined || read?.ok !== true) return collection.result();
  const terms = read.value;
  // Going on, what a ref pins is not asked for again once it is here: its bytes cannot change.
  const refs = genesis.refs.filter(
    (ref) => options.since === undefined || collection.find(ref) === undefined,
  );
  const jobs = hubs.flatMap((hub) => jobsOf(collection, hub, genesis, terms, refs));
  let done = 0;
  const run = async (job: Job) => {
    await job();
    options.onProgress?.({ records: collection.size, done: ++done, total: jobs.length });
  };
  await runAll(jobs, options.concurrency ?? 8, run);
  if (hasForeignInvite(collection, genesis)) {
    const more: Job[] = hubs.map((hub) => () => readSegment(collection, hub, genesis.wallet, 0, "whole log"));
    jobs.push(...more);
    await runAll(more, options.concurrency ?? 8, run);
  }
  return collection.result();
}

type Job = () => Promise<void>;

function jobsOf(
  collection: Collection,
  hub: Hub,
  genesis: Candidate,
  terms: Terms,
  pins: readonly Ref[],
): Job[] {
  const anchors = anchorsOf(genesis, terms.participants);
  const pinned = new Set([...anchors].map(([wallet, seq]) => `${wallet}:${seq}`));
  const refs = pins.filter((ref) => {
    const { wallet, seq } = parseRef(ref)!;
    return !pinned.has(`${wallet}:${seq}`);
  });
  const wallets = new Set([
    ...terms.participants,
    ...[...genesis.refs, genesis.ref].map((ref) => parseRef(ref)!.wallet),
  ]);
  const starts = new Map(anchors);
  const start = creatorStart(genesis);
  if (starts.has(genesis.wallet) || start < genesis.seq) starts.set(genesis.wallet, start);
  return [
    ...[...starts].map(
      ([wallet, seq]) =>
        () =>
          readSegment(collection, hub, wallet, seq),
    ),
    ...terms.participants.map((wallet) => () => readMirror(collection, hub, wallet, genesis.hash, wallets)),
    ...refs.map((ref) => () => readPlace(collection, hub, ref, parseRef(ref)!, "ref")),
  ];
}

/** First seq of each participant's segment: the genesis itself, or the highest pinned place, or the log's start. */
function anchorsOf(genesis: Candidate, participants: readonly Address[]): Map<Address, number> {
  const anchors = new Map(participants.map((wallet) => [wallet, 0]));
  for (const ref of [...genesis.refs, genesis.ref]) {
    const { wallet, seq } = parseRef(ref)!;
    if (anchors.has(wallet)) anchors.set(wallet, Math.max(anchors.get(wallet)!, seq));
  }
  if (anchors.has(genesis.wallet)) anchors.set(genesis.wallet, genesis.seq);
  return anchors;
}

/**
 * First seq to read of the creator's log: what follows its invite, since an earlier genesis there may pin the same
 * accepts (V20); the genesis itself where it refers to no invite of its own. The invite is read as a ref.
 */
function creatorStart(genesis: Candidate): number {
  const own = genesis.refs.map((ref) => parseRef(ref)!).filter(({ wallet }) => wallet === genesis.wallet);
  return Math.min(genesis.seq, ...own.map(({ seq }) => seq + 1));
}

/** Whether a pinned accept names an invite of somebody else: any earlier genesis of the creator may have used it up. */
function hasForeignInvite(collection: Collection, genesis: Candidate): boolean {
  return genesis.refs.some((ref) => {
    const accept = collection.find(ref);
    if (accept?.type !== "accept") return false;
    const invites = accept.refs.filter((named) => genesis.refs.includes(named));
    return invites.some((named) => parseRef(named)!.wallet !== genesis.wallet);
  });
}

async function readSegment(
  collection: Collection,
  hub: Hub,
  wallet: Address,
  anchor: number,
  what = "log",
): Promise<void> {
  const name = `${what} ${hub.name} ${wallet}`;
  const reading = collection.begin(name, anchor);
  try {
    for await (const { record } of readLog(hub, wallet, { ...collection.reading, fromSeq: anchor, reading }))
      if (!collection.take(record, { hub: hub.name, owner: wallet, what: "log" })) break;
  } finally {
    collection.end(name, hub, wallet, "log", reading);
  }
}

/** `wallets`: whose entries are of interest; all where it is left out. */
async function readMirror(
  collection: Collection,
  hub: Hub,
  owner: Address,
  genesis: Hash,
  wallets?: ReadonlySet<Address>,
): Promise<void> {
  const name = `mirror ${hub.name} ${owner}`;
  const place = (record: string) => {
    const claim = claimOf(record);
    return claim === undefined ? null : (wallets?.has(claim.wallet) ?? true) ? claim.seq : undefined;
  };
  const reading = collection.begin(name, 0);
  const options = { ...collection.reading, reading };
  try {
    for await (const { record } of readConversation(hub, owner, mirrorConversation(genesis), place, options))
      if (!collection.take(record, { hub: hub.name, owner, what: "mirror" })) break;
  } finally {
    collection.end(name, hub, owner, "mirror", reading);
  }
}

async function readPlace(
  collection: Collection,
  hub: Hub,
  ref: Ref,
  place: RefParts,
  what: "genesis" | "ref",
): Promise<void> {
  const { wallet, seq } = place;
  const at = { hub: hub.name, owner: wallet, what } as const;
  try {
    const record = await readRecord(hub, wallet, appendKey(seq), collection.reading.signal);
    if (record === null) return collection.say({ ...at, kind: "missing", ref });
    collection.take(record, at);
    const found = collection.parse(record);
    if (!found.ok) collection.say({ ...at, kind: "other", ref, found: null });
    else if (found.value.ref !== ref) collection.say({ ...at, kind: "other", ref, found: found.value.ref });
  } catch (error) {
    collection.say({ ...at, kind: "failed", error: asFailure(error) });
  }
}

/** What is gathered, and the limits of it. */
class Collection {
  readonly #records = new Set<string>();
  /** Records by the place that they claim. */
  readonly #places = new Map<string, string[]>();
  readonly #notes: CollectNote[] = [];
  readonly #readings: Map<string, LogReading>;
  readonly #limits: CollectLimits;
  readonly reading: { readonly signal?: AbortSignal; readonly limits: CollectLimits };
  readonly #onRecord: CollectOptions["onRecord"];
  readonly parse: (wire: string) => Result<Candidate, Rejection>;
  #units = 0;
  #full: ReadNote | undefined;

  constructor(options: CollectOptions) {
    this.#limits = { ...COLLECT_LIMITS, ...options.limits };
    this.#onRecord = options.onRecord;
    this.parse = options.parse ?? ((wire) => parseCandidate(wire));
    this.#readings = new Map(options.since?.readings);
    this.reading = { limits: this.#limits, ...(options.signal !== undefined && { signal: options.signal }) };
  }

  get size(): number {
    return this.#records.size;
  }

  /** `add` for what was served, of which is told. */
  take(record: string, from: RecordOrigin): boolean {
    const isTaken = this.add(record);
    if (isTaken) this.#onRecord?.(record, from);
    return isTaken;
  }

  /** False once the session's limits are reached: the record is not taken. */
  add(record: string): boolean {
    if (this.#records.has(record)) return true;
    if (this.#records.size >= this.#limits.total)
      this.#full = { kind: "capped", limit: this.#limits.total, unit: "records" };
    else if (this.#units + record.length > this.#limits.totalUnits)
      this.#full = { kind: "capped", limit: this.#limits.totalUnits, unit: "bytes" };
    if (this.#full !== undefined) return false;
    this.#records.add(record);
    this.#units += record.length;
    const claim = claimOf(record);
    if (claim === undefined) return true;
    const place = `${claim.wallet}:${claim.seq}`;
    const there = this.#places.get(place);
    if (there === undefined) this.#places.set(place, [record]);
    else there.push(record);
    return true;
  }

  /** The well-formed record of that ref, if it is here. */
  find(ref: Ref): Candidate | undefined {
    const { wallet, seq } = parseRef(ref)!;
    for (const record of this.#places.get(`${wallet}:${seq}`) ?? []) {
      const parsed = this.parse(record);
      if (parsed.ok && parsed.value.ref === ref) return parsed.value;
    }
    return undefined;
  }

  say(note: CollectNote): void {
    this.#notes.push(note);
  }

  /** The state to read a conversation from. */
  begin(name: string, from: number): LogReading {
    const before = this.#readings.get(name);
    return before === undefined ? readingFrom(from) : { ...before, notes: [] };
  }

  /** Keeps the notes of a reading and how far it got; one that failed or was cut short is done again from where it began. */
  end(name: string, hub: Hub, owner: Address, what: CollectNote["what"], reading: LogReading): void {
    if (this.#full !== undefined) this.say({ hub: hub.name, owner, what, ...this.#full });
    for (const note of reading.notes) this.say({ hub: hub.name, owner, what, ...note });
    const whole = !reading.notes.some((note) => note.kind === "failed" || note.kind === "capped");
    if (whole && this.#full === undefined) this.#readings.set(name, reading);
  }

  result(): Collected {
    return { records: [...this.#records], notes: this.#notes, cursor: { readings: this.#readings } };
  }
}

async function runAll<T>(items: readonly T[], most: number, run: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < items.length) await run(items[next++]!);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, work));
}
