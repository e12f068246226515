// The example sessions in public/samples: made from fixed keys and a seed, the same bytes at every run. Each shows one
// thing, and its index entry says which verdict it must show. `write-samples.node.ts` writes them.

import { canonicalize, type JsonObject } from "../core/canonical.ts";
import { BUNDLE_EXTENSION, writeBundle } from "../core/bundle.ts";
import { toHex } from "../core/bytes.ts";
import { domainKey } from "../core/seal.ts";
import type { Address, Hash, Ref } from "../core/values.ts";
import { judge } from "../games/judge.ts";
import type { Finality } from "../games/game.ts";
import { addressOf, Drawing, type GenesisOptions, type Name } from "./build.ts";
import { longAuction } from "./long-auction.ts";
import { domainKeyHash } from "../core/sealed.ts";
import { sealBody } from "./seal-body.ts";

/** What index.json says of one file. */
export interface SampleEntry {
  readonly file: string;
  readonly title: string;
  /** One sentence: what there is to see. */
  readonly says: string;
  readonly session: Ref;
  /** K_d of a sealed session: 64 hex digits. */
  readonly key?: string;
  readonly expect: {
    readonly status: "pending" | "decided";
    /** `kind` of the outcome, null while pending. */
    readonly outcome: string | null;
    readonly finality: Finality;
    readonly digest: Hash;
  };
}

export interface Sample {
  readonly entry: SampleEntry;
  readonly bundle: string;
}

interface Plan {
  readonly name: string;
  readonly title: string;
  readonly says: string;
  readonly drawing: Drawing;
  readonly records?: readonly string[];
  readonly key?: Uint8Array;
}

export const SAMPLE_SEED = 20_260_101;

/** All samples, in the order of the gallery. */
export function makeSamples(): Sample[] {
  return [...honest(), ...silent(), ...dishonest(), ...damaged(), ...special()].map(finish);
}

function finish({ name, title, says, drawing, records = drawing.records(), key }: Plan): Sample {
  const session = drawing.node("g").ref;
  const view = drawing.view({ records, ...(key !== undefined && { domain: domainKey(key) }) });
  const verdict = view.ok ? judge(view) : undefined;
  if (verdict?.ok !== true) throw new Error(`${name} has no verdict`);
  const { status, outcome, finality, digest } = verdict;
  const entry: SampleEntry = {
    file: name + BUNDLE_EXTENSION,
    title,
    says,
    session,
    ...(key !== undefined && { key: toHex(key).slice(2) }),
    expect: { status, outcome: outcome?.kind ?? null, finality, digest },
  };
  return { entry, bundle: writeBundle(session, records) };
}

function open(title: string, players: string, options: GenesisOptions = {}): Drawing {
  return new Drawing().genesis("g", "a", players, { ...options, body: { title, ...options.body } });
}

/** a and b have both committed: rock against paper. */
function committed(title: string, options?: GenesisOptions): Drawing {
  return open(title, "a b", options).commit("a1", "a", "rock").commit("b1", "b", "paper", { sees: "a1" });
}

/** The names of the others' nodes with that number: what each has seen. */
const others = (names: readonly Name[], self: Name, number: number): string =>
  names
    .filter((name) => name !== self)
    .map((name) => `${name}${number}`)
    .join(" ");

/** Everybody commits, then everybody opens. */
function sealedGame(
  title: string,
  values: { readonly [name: string]: string },
  options: GenesisOptions,
): Drawing {
  const names = Object.keys(values) as Name[];
  const drawing = open(title, names.join(" "), options);
  names.forEach((name, i) =>
    drawing.commit(`${name}1`, name, values[name]!, {
      sees: names
        .slice(0, i)
        .map((n) => `${n}1`)
        .join(" "),
    }),
  );
  for (const name of names) drawing.reveal(`${name}2`, name, values[name]!, { sees: others(names, name, 1) });
  return drawing;
}

function honest(): Plan[] {
  return [
    {
      name: "rps-best-of-three",
      title: "Rock, paper, scissors, best of three",
      says: "An invite, an accept, three rounds of commit and reveal: an honest game from end to end.",
      drawing: byInvite(),
    },
    {
      name: "vote-open",
      title: "An open vote",
      says: "Four wallets choose between three options; one of them votes twice, and only the first counts.",
      drawing: open("Where do we meet?", "a b c d", {
        game: "vote",
        rules: { options: ["harbour", "library", "station"], quorum: 3 },
        deadline: 21,
      })
        .add("b1", "b", "vote", { choice: "library" })
        .add("a1", "a", "vote", { choice: "harbour" }, { sees: "b1" })
        .add("c1", "c", "vote", { choice: "library" }, { sees: "b1 a1" })
        .add("a2", "a", "vote", { choice: "library" }, { sees: "b1 c1" })
        .add("d1", "d", "vote", { choice: "station" }, { sees: "a2 b1 c1" }),
    },
    {
      name: "vote-secret",
      title: "A secret vote",
      says: "Ballots are committed to before any is opened; the tally rests on the openings.",
      drawing: sealedGame(
        "Adopt the charter?",
        { a: "yes", b: "no", c: "yes", d: "yes", e: "abstain" },
        { game: "vote", rules: { options: ["yes", "no", "abstain"], ballot: "secret" }, deadline: 26 },
      ),
    },
    {
      name: "auction-second-price",
      title: "A sealed second-price auction",
      says: "The highest bid wins and pays the second highest, to the last digit of numbers beyond 2^53.",
      drawing: sealedGame(
        "One night at the lighthouse",
        { a: "9007199254740993", b: "9007199254740992", c: "1000" },
        {
          game: "auction",
          rules: { kind: "second-price", reserve: "500", item: "one night", currency: "wei" },
        },
      ),
    },
    {
      name: "auction-english",
      title: "An English auction",
      says: "Open bids, each measured by what its author had seen; a bid that was too low is ignored, and passes end it.",
      drawing: english(),
    },
    {
      name: "compare-closest",
      title: "Closest guess",
      says: "Three sealed guesses, and the one closest to the target wins.",
      drawing: sealedGame(
        "How many beans?",
        { a: "480", b: "530", c: "612" },
        {
          game: "compare",
          rules: { by: "closest", target: "512", question: "How many beans are in the jar?" },
        },
      ),
    },
  ];
}

function byInvite(): Drawing {
  const offer: JsonObject = {
    game: "rps",
    rules: { best_of: 3 },
    deadline: 25,
    default_outcome: { kind: "forfeit" },
  };
  const drawing = new Drawing()
    .add("i", "a", "invite", { ...offer, title: "Best of three" })
    .add("acc", "b", "accept", {}, { sees: "i" })
    .genesis("g", "a", "a b", { sees: "i acc", body: { ...offer, title: "Best of three" } });
  const rounds = [
    ["rock", "scissors"],
    ["paper", "scissors"],
    ["scissors", "paper"],
  ] as const;
  let last = "";
  rounds.forEach(([a, b], i) => {
    const round = i + 1;
    drawing
      .commit(`ca${round}`, "a", a, { round, sees: last })
      .commit(`cb${round}`, "b", b, { round, sees: `ca${round}` })
      .reveal(`ra${round}`, "a", a, { round, sees: `cb${round}` })
      .reveal(`rb${round}`, "b", b, { round, sees: `ra${round}` });
    last = `rb${round}`;
  });
  return drawing;
}

function english(): Drawing {
  return open("A used telescope", "a b c", {
    game: "auction",
    rules: { kind: "english", reserve: "50", increment: "5", item: "telescope", currency: "EUR" },
    deadline: 31,
  })
    .add("a1", "a", "bid", { amount: "50" })
    .add("b1", "b", "bid", { amount: "60" }, { sees: "a1" })
    .add("c1", "c", "bid", { amount: "62" }, { sees: "a1 b1" })
    .add("c2", "c", "bid", { amount: "65" })
    .add("a2", "a", "pass", {}, { sees: "b1 c2" })
    .add("b2", "b", "bid", { amount: "80" }, { sees: "a2 c2" })
    .add("c3", "c", "pass", {}, { sees: "a2 b2" });
}

function silent(): Plan[] {
  const lost = (title: string, default_outcome: JsonObject): Drawing =>
    committed(title, { deadline: 9, default_outcome })
      .reveal("a2", "a", "rock", { sees: "b1" })
      .tick("a3", "a")
      .tick("a4", "a");
  return [
    {
      name: "silent-void",
      title: "Silent loser, default void",
      says: "b never opens what it committed to; a uses up its share, and the declared default makes it void.",
      drawing: lost("Nobody wins", { kind: "void" }),
    },
    {
      name: "silent-forfeit",
      title: "Silent loser, default forfeit",
      says: "The same silence, but the declared default gives the game to the player who owes nothing.",
      drawing: lost("Silence forfeits", { kind: "forfeit" }),
    },
    {
      name: "silent-award",
      title: "Silent loser, default award",
      says: "The same silence, with an award to b declared beforehand: decided, but b can still change it.",
      drawing: lost("In doubt for b", { kind: "award", to: addressOf("b") }),
    },
    {
      name: "never-joined",
      title: "A challenge that nobody took up",
      says: "b never entered, so nothing is forfeited, whatever was declared.",
      drawing: open("Anybody there?", "a b", { deadline: 7, default_outcome: { kind: "forfeit" } })
        .commit("a1", "a", "rock")
        .tick("a2", "a")
        .tick("a3", "a"),
    },
  ];
}

function dishonest(): Plan[] {
  const copied = open("The copier", "a b").commit("a1", "a", "scissors");
  copied
    .add("b1", "b", "commit", copied.node("a1").body, { sees: "a1" })
    .reveal("a2", "a", "scissors", { sees: "b1" });
  copied.add("b2", "b", "reveal", copied.node("a2").body, { sees: "a2" });
  const foreign = open("The right session", "a b").genesis("h", "a", "a b", {
    deadline: 13,
    body: { title: "Another session" },
  });
  foreign
    .commit("a2", "a", "rock")
    .commit("b1", "b", "paper", { session: "h" })
    .tick("a3", "a")
    .reveal("b2", "b", "paper", { session: "h" });
  return [
    {
      name: "fork",
      title: "A forked log",
      says: "b signed two different commits for one place in its log; a holds both, which is all the proof there is to need.",
      drawing: committed("Two faces")
        .commit("b1x", "b", "scissors", { after: "", sees: "a1" })
        .evidence("a2", "a", "b1", "b1x", { sees: "b1" }),
    },
    {
      name: "copied-commitment",
      title: "A copied commitment",
      says: "b repeats a's commitment and then a's opening; wallet and session are inside the hash, so it opens nothing.",
      drawing: copied,
    },
    {
      name: "early-reveal",
      title: "An early reveal",
      says: "a shows its hand before b has committed: ignored, and said again in time it counts.",
      drawing: open("Too soon", "a b")
        .commit("a1", "a", "rock")
        .reveal("a2", "a", "rock")
        .commit("b1", "b", "scissors", { sees: "a2" })
        .reveal("a3", "a", "rock", { sees: "b1" })
        .reveal("b2", "b", "scissors", { sees: "a3" }),
    },
    {
      name: "foreign-genesis",
      title: "Moves of another session",
      says: "b's moves name another genesis: they are real, and of no use here.",
      drawing: foreign,
    },
    {
      name: "late-entry",
      title: "An entry beyond the share",
      says: "a's vote is the third entry of a share of two: shown, late, and not counted.",
      drawing: open("Two entries each", "a b", {
        game: "vote",
        rules: { options: ["north", "south"] },
        deadline: 5,
      })
        .tick("a1", "a")
        .tick("a2", "a", { sees: "" })
        .add("b1", "b", "vote", { choice: "south" }, { sees: "a2" })
        .add("a3", "a", "vote", { choice: "north" }, { sees: "b1" }),
    },
  ];
}

function damaged(): Plan[] {
  const full = (title: string) =>
    committed(title).reveal("a2", "a", "rock", { sees: "b1" }).reveal("b2", "b", "paper", { sees: "a2" });
  const withheld = full("Something is missing");
  const tampered = full("One byte");
  const digit = tampered.wire("b2").indexOf('"salt":"0x') + 10;
  const wire = tampered.wire("b2");
  const changed = wire.slice(0, digit) + (wire[digit] === "0" ? "1" : "0") + wire.slice(digit + 1);
  return [
    {
      name: "withheld-entry",
      title: "A withheld entry",
      says: "b's commit is missing from these records: its log has a gap, and what rests on it waits.",
      drawing: withheld,
      records: withheld.records("b1"),
    },
    {
      name: "tampered-byte",
      title: "One changed byte",
      says: "One digit of b's salt was changed on the way: the signature check fails at that very entry.",
      drawing: tampered,
      records: [...tampered.records("b2"), changed],
    },
  ];
}

function special(): Plan[] {
  const key = new Uint8Array(32).map((_, i) => (i * 7 + 3) & 255);
  return [
    {
      name: "look-alikes",
      title: "Names that look alike",
      says: "Two participants share their first and last digits, two options look the same, and the title hides a turn of direction.",
      drawing: lookAlikes(),
    },
    {
      name: "sealed-session",
      title: "A sealed session",
      says: "Bodies are encrypted for the members of a domain: without the key chains and order are verified, with it the verdict.",
      drawing: sealedSession(key),
      key,
    },
    {
      name: "long-auction",
      title: "A long auction",
      says: "Three bidders, two thousand entries, every bid measured by what its author had seen.",
      drawing: longAuction(SAMPLE_SEED, 2000),
    },
  ];
}

function lookAlikes(): Drawing {
  const b = addressOf("b");
  // An address that nobody has the key of: it begins and ends as b's does.
  const imitation = `${b.slice(0, 12)}${"0123456789abcdef".repeat(2).slice(0, 20)}${b.slice(-10)}` as Address;
  return new Drawing()
    .genesis("g", "a", "a b", {
      game: "vote",
      rules: { options: ["Alice", "\u0410lice"] },
      deadline: 7,
      body: {
        title: "Chair of the board \u202e(2 nur)\u202c \u200b",
        participants: [addressOf("a"), b, imitation],
      },
    })
    .add("a1", "a", "vote", { choice: "Alice" })
    .add("b1", "b", "vote", { choice: "\u0410lice" }, { sees: "a1" })
    .add("a2", "a", "tick", { note: "<img src=x onerror=alert(1)>" }, { sees: "b1" });
}

function sealedSession(key: Uint8Array): Drawing {
  const drawing = open("Members only", "a b c", {
    game: "vote",
    rules: { options: ["accept", "decline"] },
    body: { domain: { id: "reading circle", key_hash: domainKeyHash(key), keys: {} } },
  });
  const cast = (name: string, author: Name, seq: number, choice: string, sees: string) =>
    drawing.add(
      name,
      author,
      "vote",
      sealBody(drawing, key, { author, seq, type: "vote" }, canonicalize({ choice })),
      { sees },
    );
  cast("a1", "a", 1, "accept", "");
  cast("b1", "b", 0, "decline", "a1");
  cast("c1", "c", 0, "accept", "a1 b1");
  return drawing;
}
