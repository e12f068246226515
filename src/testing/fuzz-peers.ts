// Peers of one session over a network that holds, reorders, loses and cuts; some of them fork their logs. Everything
// follows from the seed. A peer knows only what has reached it, and refers only to entries that its own view places.

import type { JsonObject } from "../core/canonical.ts";
import type { View } from "../core/view.ts";
import type { Verdict } from "../games/game.ts";
import { judge } from "../games/judge.ts";
import { addressOf, Drawing, NAMES, saltOf, type Name } from "./build.ts";
import { seededRandom } from "./random.ts";

export interface FuzzSetup {
  readonly seed: number;
  readonly game: string;
  readonly rules: JsonObject;
  readonly players: number;
  /** How many of the players fork, the last ones. */
  readonly forkers: number;
}

/** A verdict that a peer reached on its way, and the forks that it knew of then. */
export interface Reached {
  readonly by: Name;
  readonly verdict: Verdict & { readonly ok: true };
  readonly faults: string;
}

export interface FuzzRun {
  readonly drawing: Drawing;
  readonly players: readonly Name[];
  readonly forkers: ReadonlySet<Name>;
  /** Names of the nodes that reached each peer, in the order of arrival. */
  readonly held: ReadonlyMap<Name, readonly string[]>;
  readonly reached: readonly Reached[];
}

/** Who forked, and where, as a text: two views with equal ones know of the same forks. */
export function faultsOf(view: View): string {
  return view.members
    .flatMap(({ wallet, fault }) => (fault === null ? [] : `${wallet}@${fault.seq}`))
    .join(" ");
}

const SHARE = 12;
/** Steps of each player before the network heals. */
const STEPS = 40;

export function runPeers(setup: FuzzSetup): FuzzRun {
  const run = new Run(setup);
  run.play(STEPS * setup.players);
  run.heal();
  return run;
}

class Run implements FuzzRun {
  readonly drawing = new Drawing();
  readonly players: readonly Name[];
  readonly forkers: ReadonlySet<Name>;
  readonly held = new Map<Name, string[]>();
  readonly reached: Reached[] = [];
  readonly #random: () => number;
  readonly #game: string;
  readonly #rules: JsonObject;
  /** Branches of each log: one for the honest, perhaps two for those who fork. */
  readonly #branches = new Map<Name, string[]>();
  #flying: { readonly to: Name; readonly node: string }[] = [];
  #cut = new Set<Name>();
  #count = 0;

  constructor({ seed, game, rules, players, forkers }: FuzzSetup) {
    this.#random = seededRandom(seed);
    this.#game = game;
    this.#rules = rules;
    this.players = NAMES.slice(0, players);
    this.forkers = new Set(this.players.slice(players - forkers));
    const deadline = SHARE * players + 1;
    this.drawing.genesis("g", "a", this.players.join(" "), { game, rules, deadline });
    for (const name of this.players) {
      this.held.set(name, ["g"]);
      this.#branches.set(name, [name === "a" ? "g" : ""]);
    }
  }

  play(steps: number): void {
    for (let i = 0; i < steps; i++) {
      const dice = this.#random();
      if (dice < 0.02) this.#cut = new Set(this.players.filter(() => this.#random() < 0.4));
      else if (dice < 0.45) this.#deliver();
      else this.#act(this.#pick(this.players));
    }
  }

  /** Everything reaches everybody, and the honest play on until none of them has anything to say. */
  heal(): void {
    this.#cut.clear();
    this.#flying = [];
    for (let quiet = false; !quiet;) {
      quiet = true;
      for (const name of this.players) {
        this.#receiveAll(name);
        if (!this.forkers.has(name) && this.#act(name, true)) quiet = false;
      }
    }
    for (const name of this.players) this.#receiveAll(name);
  }

  #receiveAll(name: Name): void {
    const held = this.held.get(name)!;
    for (const node of this.drawing.nodes.keys()) if (!held.includes(node)) held.push(node);
  }

  #deliver(): void {
    if (this.#flying.length === 0) return;
    const at = Math.floor(this.#random() * this.#flying.length);
    const { to, node } = this.#flying[at]!;
    if (this.#cut.has(to)) return; // held until the cut is over
    this.#flying.splice(at, 1);
    if (this.#random() < 0.1) return; // lost; it arrives when the network heals
    if (this.#random() < 0.1) this.#flying.push({ to, node }); // and once more later
    const held = this.held.get(to)!;
    if (!held.includes(node)) held.push(node);
  }

  /** The peer looks at what it has and perhaps writes; whether it did. */
  #act(name: Name, owedOnly = false): boolean {
    const view = this.drawing.view({ records: this.held.get(name)!.map((node) => this.drawing.wire(node)) });
    if (!view.ok) throw new Error(view.code);
    const verdict = judge(view);
    if (!verdict.ok) throw new Error(verdict.code);
    this.reached.push({ by: name, verdict, faults: faultsOf(view) });
    const member = view.members[this.players.indexOf(name)]!;
    if (member.used >= view.share) return false;
    const owed = verdict.reasons.find(
      ({ code, wallet }) => code === "owed" && wallet === addressOf(name),
    )?.what;
    if (owed === undefined && (owedOnly || this.#random() < (this.forkers.has(name) ? 0.5 : 0.9)))
      return false;
    const branches = this.#branches.get(name)!;
    const sees = this.#seen(name, view);
    if (this.forkers.has(name) && branches.length === 1 && this.#random() < 0.3) {
      this.#fork(name, branches);
      // Both branches go on, so that there are two versions of one place.
      for (const at of [0, 1]) branches[at] = this.#write(name, "tick", { branch: at }, branches[at]!, sees);
      return true;
    }
    const at = Math.floor(this.#random() * branches.length);
    const [type, body] = this.#move(name, owed, view, verdict);
    branches[at] = this.#write(name, type, body, branches[at]!, sees);
    return true;
  }

  /** A second branch, from the branch's end or one entry before it. */
  #fork(name: Name, branches: string[]): void {
    const head = branches[0]!;
    const before = [...this.drawing.nodes.values()].find(
      ({ hash, wallet }) =>
        head !== "" && hash === this.drawing.node(head).prev_hash && wallet === addressOf(name),
    );
    branches.push(before === undefined || head === "g" ? head : before.name);
  }

  #write(name: Name, type: string, body: JsonObject, after: string, sees: string): string {
    const node = `${name}${++this.#count}`;
    this.drawing.add(node, name, type, body, { after, sees });
    this.held.get(name)!.push(node);
    for (const to of this.players) {
      // Who forks shows each version to some.
      const hides = this.forkers.has(name) && this.#random() < 0.5;
      if (to !== name && !hides) this.#flying.push({ to, node });
    }
    return node;
  }

  /** Newest session entry of every other participant in the peer's own view. */
  #seen(name: Name, view: View): string {
    const newest = new Map<number, string>();
    for (const move of view.order) newest.set(move.author, this.drawing.nameOf(move.ref));
    const self = this.players.indexOf(name);
    return [...newest]
      .filter(([author]) => author !== self)
      .map(([, node]) => node)
      .join(" ");
  }

  #move(
    name: Name,
    owed: string | undefined,
    view: View,
    verdict: Verdict & { ok: true },
  ): [string, JsonObject] {
    const commits = this.#ownMoves(name, view, "commit");
    const reveals = this.#ownMoves(name, view, "reveal");
    const round = (n: number): JsonObject => (this.#game === "rps" && n > 1 ? { round: n } : {});
    const value = (n: number) => this.#values()[(n + name.charCodeAt(0)) % this.#values().length]!;
    if (owed === "commit" || (owed !== undefined && owed !== "reveal" && this.#isSealed() && commits === 0)) {
      const n = commits + 1;
      return [
        "commit",
        { commitment: this.drawing.commitment(name, value(n), this.#roundOf(n)), ...round(n) },
      ];
    }
    if (owed === "reveal") {
      const n = reveals + 1;
      return ["reveal", { value: value(n), salt: saltOf(name, this.#roundOf(n)), ...round(n) }];
    }
    if (owed === "vote") return ["vote", { choice: value(1) }];
    if (owed === "bid or pass") return this.#bid(verdict);
    return ["tick", {}];
  }

  #bid(verdict: Verdict & { ok: true }): [string, JsonObject] {
    if (this.#random() < 0.4) return ["pass", {}];
    let leading = 0n;
    for (const { what, value } of verdict.reasons)
      if (what === "bid" && value !== undefined && BigInt(value) > leading) leading = BigInt(value);
    return ["bid", { amount: String(leading + 1n + BigInt(Math.floor(this.#random() * 5))) }];
  }

  #ownMoves(name: Name, view: View, type: string): number {
    const wallet = addressOf(name);
    return view.order.filter(({ entry }) => entry.wallet === wallet && entry.type === type).length;
  }

  #isSealed(): boolean {
    return (
      this.#game === "compare" || this.#rules["ballot"] === "secret" || this.#rules["kind"] === "second-price"
    );
  }

  #roundOf(n: number): number {
    return this.#game === "rps" ? n : 1;
  }

  #values(): readonly string[] {
    if (this.#game === "rps") return ["rock", "paper", "scissors"];
    return this.#game === "vote" ? ["x", "y"] : ["3", "14", "15", "92"];
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)]!;
  }
}
