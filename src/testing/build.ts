// Sessions for tests, drawn one line per node: wallets a to h with fixed keys, entries by name, really signed.
// What comes back speaks in names as well, and leaves out what is empty, so that a test asserts the whole result.

import { canonicalize, type Json, type JsonObject } from "../core/canonical.ts";
import { buildView } from "../core/build-view.ts";
import { signedText, wireForm, unsignedText, type Candidate, type UnsignedEntry } from "../core/entry.ts";
import type { CheckSignature, SignatureResult } from "../core/entry.ts";
import { checkPlain } from "../core/signature.ts";
import type { DomainKey } from "../core/sealed.ts";
import { formatRef, isAddress, isRef, sha256, type Address, type Hash, type Ref } from "../core/values.ts";
import type { NoView, View } from "../core/view.ts";
import { commitmentOf } from "../games/commit-reveal.ts";
import { judge } from "../games/judge.ts";
import { localWallet, type LocalWallet } from "../wallet/wallet.local.ts";

export type Name = "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h";
export const NAMES: readonly Name[] = ["a", "b", "c", "d", "e", "f", "g", "h"];

const wallets = new Map<Name, LocalWallet>(
  NAMES.map((name, i) => [name, localWallet(`0x${String(i + 1).repeat(64)}`)]),
);

export function walletOf(name: Name): LocalWallet {
  return wallets.get(name)!;
}

export function addressOf(name: Name): Address {
  return walletOf(name).address;
}

const nameByAddress = new Map<string, string>(NAMES.map((name) => [addressOf(name), name]));

/** A salt for tests: no secret, the same at every run. */
export function saltOf(...parts: readonly (string | number)[]): Hash {
  return sha256(`salt for tests ${parts.join(" ")}`);
}

/** The plain check, remembered by the exact bytes: property tests ask for the same entries a hundred times. */
export const checkOnce: CheckSignature = (candidate: Candidate): SignatureResult => {
  const known = checked.get(candidate.wire);
  if (known !== undefined) return known;
  const result = checkPlain(candidate);
  checked.set(candidate.wire, result);
  return result;
};
const checked = new Map<string, SignatureResult>();

/** An entry as drawn: its parts and its wire form. */
export interface Drawn extends UnsignedEntry {
  readonly name: string;
  readonly hash: Hash;
  readonly ref: Ref;
  readonly wire: string;
}

export interface NodeOptions {
  /** Names of entries that the author had seen, besides the genesis. */
  readonly sees?: string;
  /** Name of the predecessor in the author's log; "" is the log's start. By default the author's newest entry. */
  readonly after?: string;
  /** Names no genesis. */
  readonly outside?: boolean;
  /** Name of the genesis, where there are several. */
  readonly session?: string;
  /** Breaks one thing before it is signed. */
  readonly breaks?: (entry: UnsignedEntry) => UnsignedEntry;
}

export interface GenesisOptions extends NodeOptions {
  readonly game?: string;
  readonly rules?: JsonObject;
  readonly deadline?: number;
  readonly default_outcome?: JsonObject;
  /** Other members of the body, or other values of these. */
  readonly body?: JsonObject;
}

export class Drawing {
  readonly nodes = new Map<string, Drawn>();
  readonly #heads = new Map<Name, Drawn>();
  #session: string | undefined;

  /** Writes and signs one entry. */
  add(name: string, author: Name, type: string, body: JsonObject = {}, options: NodeOptions = {}): this {
    const { sees = "", after, outside = false, session = this.#session, breaks } = options;
    const previous =
      after === undefined ? this.#heads.get(author) : after === "" ? undefined : this.node(after);
    const refs = new Set(words(sees).map((seen) => this.node(seen).ref));
    if (!outside && session !== undefined) refs.add(this.node(session).ref);
    const plain: UnsignedEntry = {
      wallet: addressOf(author),
      seq: previous === undefined ? 0 : previous.seq + 1,
      prev_hash: previous?.hash ?? null,
      refs: [...refs].sort(),
      type,
      body,
    };
    return this.sign(name, author, breaks === undefined ? plain : breaks(plain));
  }

  /** Signs an entry as it is, with the author's key. */
  sign(name: string, author: Name, entry: UnsignedEntry): this {
    if (this.nodes.has(name)) throw new Error(`two nodes are named ${name}`);
    const sig = walletOf(author).signTextNow(signedText(entry));
    const hash = sha256(unsignedText(entry));
    const ref = formatRef(entry.wallet, entry.seq, hash);
    const node = { ...entry, name, hash, ref, wire: wireForm({ ...entry, sig }) };
    this.nodes.set(name, node);
    this.#heads.set(author, node);
    return this;
  }

  /** Opens a session for the players ("a b"); later nodes belong to the first one unless they say otherwise. */
  genesis(name: string, author: Name, players: string, options: GenesisOptions = {}): this {
    const { game = "rps", rules = {}, deadline = 13, default_outcome = { kind: "void" } } = options;
    const participants = words(players).map((player) => addressOf(player as Name));
    const body = {
      protocol: "coop/1",
      game,
      rules,
      participants,
      deadline,
      default_outcome,
      ...options.body,
    };
    this.add(name, author, "genesis", body, { ...options, outside: true });
    this.#session ??= name;
    return this;
  }

  tick(name: string, author: Name, options?: NodeOptions): this {
    return this.add(name, author, "tick", {}, options);
  }

  commit(name: string, author: Name, value: Json, options: NodeOptions & { round?: number } = {}): this {
    const round = options.round ?? 1;
    const body = { commitment: this.commitment(author, value, round, options.session) };
    return this.add(name, author, "commit", round === 1 ? body : { ...body, round }, options);
  }

  reveal(name: string, author: Name, value: Json, options: NodeOptions & { round?: number } = {}): this {
    const round = options.round ?? 1;
    const body = { value, salt: saltOf(author, round) };
    return this.add(name, author, "reveal", round === 1 ? body : { ...body, round }, options);
  }

  commitment(author: Name, value: Json, round = 1, session = this.#session!): Hash {
    const salt = saltOf(author, round);
    return commitmentOf({ session: this.node(session).ref, wallet: addressOf(author), round, value, salt });
  }

  /** The proof of a fork, by anyone. */
  evidence(name: string, author: Name, first: string, second: string, options?: NodeOptions): this {
    const [a, b] = [this.value(first), this.value(second)];
    return this.add(name, author, "evidence", { kind: "equivocation", a, b }, options);
  }

  node(name: string): Drawn {
    const node = this.nodes.get(name);
    if (node === undefined) throw new Error(`no node is named ${name}`);
    return node;
  }

  wire(name: string): string {
    return this.node(name).wire;
  }

  /** The signed entry as a JSON value. */
  value(name: string): JsonObject {
    return JSON.parse(this.wire(name)) as JsonObject;
  }

  /** Wire forms of all nodes but those named. */
  records(without = ""): string[] {
    const left = words(without).map((name) => this.node(name));
    return [...this.nodes.values()].filter((node) => !left.includes(node)).map(({ wire }) => wire);
  }

  view({ without, records, session, domain }: Showing = {}): View | NoView {
    const options = domain === undefined ? { check: checkOnce } : { check: checkOnce, domain };
    return buildView(records ?? this.records(without), this.node(session ?? this.#session!).ref, options);
  }

  /** View and verdict of the records, in names, without what is empty. */
  show(showing: Showing = {}): Shown {
    const view = this.view(showing);
    return filled(view.ok ? this.#outline(view) : { error: view.code, rejected: codesOf(view) });
  }

  /** The same, of the view alone. */
  showView(showing: Showing = {}): Shown {
    const { order, late, used, closed, faults, gaps, pending, rejected, incomplete, error } =
      this.show(showing);
    return filled({ error, order, late, used, closed, faults, gaps, pending, rejected, incomplete });
  }

  /** The same, of the verdict alone. */
  showVerdict(showing: Showing = {}): Shown {
    const { error, refused, status, outcome, waiting, finality, flags, basis } = this.show(showing);
    return filled({ error, refused, status, outcome, waiting, finality, flags, basis });
  }

  /** Names instead of addresses and refs, at any depth. */
  inNames(value: Json): Json {
    if (typeof value === "string") return this.nameOf(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return (value as readonly Json[]).map((item) => this.inNames(item));
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([key, item]) => [this.nameOf(key), this.inNames(item)]),
    );
  }

  /** Name of an address or of a ref; other texts as they are. */
  nameOf(text: string): string {
    if (isAddress(text)) return nameByAddress.get(text) ?? text;
    if (!isRef(text)) return text;
    return [...this.nodes.values()].find(({ ref }) => ref === text)?.name ?? text;
  }

  #outline(view: View): Shown {
    const names = (refs: readonly string[]) => refs.map((ref) => this.nameOf(ref)).join(" ");
    const members = view.members.map((member) => ({ ...member, name: this.nameOf(member.wallet) }));
    const verdict = judge(view);
    return {
      order: names(view.order.filter(({ inTime }) => inTime).map(({ ref }) => ref)),
      late: names(view.order.filter(({ inTime }) => !inTime).map(({ ref }) => ref)),
      used: members.map(({ name, used }) => `${name}${used}`).join(" "),
      closed: view.closed,
      faults: members.flatMap(({ name, fault }) => (fault === null ? [] : `${name}@${fault.seq}`)).join(" "),
      gaps: members.flatMap(({ name, gap }) => (gap === null ? [] : `${name} ${gap.code}@${gap.seq}`)).join(),
      pending: names(view.pending.map(({ entry }) => entry.ref).sort(this.#byName)),
      rejected: codesOf(view),
      incomplete: !view.complete,
      ...(verdict.ok
        ? {
            status: verdict.status === "pending" ? "pending" : "",
            outcome: this.inNames(verdict.outcome),
            waiting: names(verdict.waiting),
            finality: verdict.finality === "open" ? "" : verdict.finality,
            flags: verdict.flags.map(({ ref, code }) => `${this.nameOf(ref)} ${code}`),
            basis: names([...verdict.basis].sort(this.#byName)),
          }
        : { refused: verdict.code }),
    };
  }

  readonly #byName = (a: string, b: string): number => (this.nameOf(a) < this.nameOf(b) ? -1 : 1);
}

export interface Showing {
  /** Names of the nodes that are withheld. */
  readonly without?: string;
  /** These records instead of the drawn ones. */
  readonly records?: readonly string[];
  readonly session?: string;
  readonly domain?: DomainKey;
}

/** Members that are empty are left out. Lists of names are texts. */
export type Shown = { readonly [member: string]: Json | undefined };

function codesOf({ rejected }: View | NoView): string {
  return rejected.map(({ rejection }) => rejection.code).join(" ");
}

function filled(shown: Shown): Shown {
  const isFilled = (value: Json | undefined): boolean =>
    value !== undefined && value !== "" && value !== false && value !== null && canonicalize(value) !== "[]";
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => isFilled(value)));
}

function words(text: string): string[] {
  return text.split(" ").filter((word) => word !== "");
}
