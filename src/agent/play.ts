// `coop play`: an agent at the table: the house bot, a guest of an invite, or a host who calls somebody.

import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseTypedAddress, isRef, parseRef, type Address, type Ref } from "../core/values.ts";
import { isObject, parseJson, type JsonObject } from "../core/canonical.ts";
import { checksumAddress } from "../core/values.ts";
import { describeVerdict } from "../games/describe.ts";
import { GAMES, gameOf } from "../games/judge.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { openHouse } from "../peer/house.ts";
import { joinInvite } from "../peer/invite-guest.ts";
import { hostInvite } from "../peer/invite-host.ts";
import { joinLink, readJoin } from "../peer/invite-links.ts";
import type { Offer } from "../peer/invite.ts";
import { openLog, type LogWriter } from "../peer/log-writer.ts";
import { playSeat } from "../peer/seat-player.ts";
import { randomStrategy, type Strategy } from "../peer/strategy.ts";
import { readArguments, type Arguments } from "./arguments.ts";
import { EXIT, Unusable, type Console, type ExitCode } from "./console.ts";
import { hubUrl, keyNamed, openHub, openPeerEnvironment, openRelay, relayOf } from "./ports.ts";
import { shown } from "./source.ts";

export const PLAY_HELP = `coop play <join link | invite | session id | address> [--game NAME] [--rules JSON] …
coop play --house [--game NAME]
coop play [--game NAME] [--rules JSON]

Plays as an agent: joins the invite of a link, goes on with a session it sits in,
calls the wallet of an address (the house, say), runs as a house bot, or, without
an opponent, prints an invite and waits for a guest.
  --game NAME        ${GAMES.map(({ name }) => name).join(", ")} (default rps); with --house the one it plays (default all)
  --rules JSON       rules of the game (default {})
  --deadline N       entry budget of the session (default 61)
  --strategy FILE    a module whose default export is a strategy (default: at random)
  --hub URL          default COOP_HUB, else http://127.0.0.1:8787
  --relay URL        default the Hub's own /relay; "none": by polling alone
  --data DIR         where key, salts and outbox are kept (default .data/agent)
  --key NAME         which key of the vault (default agent), made on first use
  --json             the result as one JSON object
Exit: 0 decided (house: stopped by a signal), 2 ended before a verdict, 3 unusable input.

A strategy is called with {wallet, view, verdict, owed} whenever it owes a move
(owed.what: commit, vote or bid; owed.round) and answers, at once or as a promise,
  {kind: "commit", value}           a value that is committed to and opened later
  {kind: "append", type, body}      a vote, a bid, a pass
  null                              no move now`;

const VALUES = ["game", "rules", "deadline", "strategy", "hub", "relay", "data", "key"];

interface Table {
  readonly environment: PeerEnvironment;
  readonly log: LogWriter;
  readonly strategy: Strategy;
  readonly hub: string;
}

export async function play(args: readonly string[], console: Console): Promise<ExitCode> {
  const given = readArguments(args, { values: VALUES, switches: ["house", "json"] }, 1);
  const game = given.value("game");
  if (game !== undefined && gameOf(game) === undefined)
    throw new Unusable(`--game ${shown(game)}: one of ${GAMES.map(({ name }) => name).join(", ")}`);
  const opponent = given.positionals[0];
  const target = opponent === undefined ? undefined : readTarget(opponent);
  if (given.has("house") && target !== undefined)
    throw new Unusable("--house calls nobody: it waits to be called");
  const offer = readOffer(given, game ?? "rps");
  const table = await openTable(given);
  console.note(`wallet ${checksumAddress(table.log.address)} on ${table.hub}`);
  try {
    if (given.has("house")) return await runHouse(table, game, console);
    const session = await findSession(table, target, offer, console);
    return await playOut(table, session, given.has("json"), console);
  } finally {
    table.log.close();
    table.environment.channel?.close();
  }
}

type Target =
  | { readonly kind: "address"; readonly address: Address }
  /** An invite or a session: which of the two, its entry tells. */
  | { readonly kind: "ref"; readonly ref: Ref };

function readTarget(text: string): Target {
  const ref = readJoin(text) ?? (isRef(text) ? text : /#\/s\/([^?/\s]+)/.exec(text)?.[1]);
  if (isRef(ref)) return { kind: "ref", ref };
  const typed = parseTypedAddress(text);
  if (typed.ok) return { kind: "address", address: typed.address };
  throw new Unusable(
    `${shown(text)}: ${typed.code === "bad-checksum" ? "an address with a wrong checksum" : "neither a join link, nor an invite, a session id or an address"}`,
  );
}

function readOffer(given: Arguments, game: string): Offer {
  const text = given.value("rules") ?? "{}";
  const rules = parseJson(text);
  if (!isObject(rules)) throw new Unusable(`--rules ${shown(text)}: not a JSON object`);
  const deadline = given.value("deadline") ?? "61";
  if (!/^[1-9]\d{0,5}$/.test(deadline))
    throw new Unusable(`--deadline ${shown(deadline)}: not a number of entries`);
  return {
    game,
    rules: rules satisfies JsonObject,
    deadline: Number(deadline),
    default_outcome: { kind: "forfeit" },
  };
}

async function openTable(given: Arguments): Promise<Table> {
  const hub = hubUrl(given.value("hub"));
  const relay = given.value("relay") ?? relayOf(hub);
  const folder = resolve(given.value("data") ?? join(".data", "agent"));
  const client = openHub(hub);
  const channel = relay === "none" ? null : openRelay(relay);
  const environment = await openPeerEnvironment(folder, client, channel);
  const log = openLog(environment, await keyNamed(folder, given.value("key") ?? "agent"));
  const strategy = await readStrategy(given.value("strategy"), environment);
  return { environment, log, strategy, hub };
}

async function readStrategy(path: string | undefined, { random }: PeerEnvironment): Promise<Strategy> {
  if (path === undefined) return randomStrategy(random);
  let module: { readonly default?: unknown };
  try {
    module = (await import(pathToFileURL(resolve(path)).href)) as { readonly default?: unknown };
  } catch (error) {
    throw new Unusable(
      `--strategy ${shown(path)}: ${error instanceof Error ? error.message : "cannot be loaded"}`,
    );
  }
  if (typeof module.default !== "function")
    throw new Unusable(`--strategy ${shown(path)}: its default export is no function`);
  return module.default as Strategy;
}

async function runHouse(
  { environment, log, strategy }: Table,
  game: string | undefined,
  console: Console,
): Promise<ExitCode> {
  const games = game === undefined ? GAMES.map(({ name }) => name) : [game];
  const house = openHouse(environment, log, { games, strategy, onEvent: (text) => console.note(text) });
  console.out(house.address);
  console.note(`house bot for ${games.join(", ")}; stop it by a signal`);
  await new Promise<void>((done) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => done());
  });
  house.close();
  return EXIT.ok;
}

/** The session to play: given, joined, or hosted. */
async function findSession(
  table: Table,
  target: Target | undefined,
  offer: Offer,
  console: Console,
): Promise<Ref> {
  if (target?.kind === "ref") return joinOrResume(table, target.ref, console);
  const { environment, log } = table;
  const expected = target === undefined ? [] : [target.address];
  const host = hostInvite(environment, log, offer, { players: 2, hostPlays: true, expected });
  let told = false;
  const session = await reached(host, () => {
    const { invite, session: started, stage, problem } = host.getSnapshot();
    if (invite !== null && !told) {
      told = true;
      console.note(`invite ${joinLink(`${table.hub}/`, invite)}`);
      for (const address of expected) environment.channel?.publish(address, invite);
    }
    if (stage === "failed" || (problem !== null && stage === "open" && started === null))
      console.note(problem ?? "the invite failed");
    return stage === "failed" ? new Unusable(problem ?? "the invite failed") : started;
  });
  host.close();
  return session;
}

async function joinOrResume(table: Table, ref: Ref, console: Console): Promise<Ref> {
  const joining = joinInvite(table.environment, table.log, ref);
  console.note(`reading ${ref}`);
  const session = await reached(joining, () => {
    const { stage, session: started, problem } = joining.getSnapshot();
    if (stage === "offered" && problem === null) {
      joining
        .accept()
        .catch((error: unknown) => console.note(error instanceof Error ? error.message : "not accepted"));
      return null;
    }
    if (problem !== null && stage !== "failed") console.note(problem);
    // What leads to no invite is taken for a session; whether it is one, its genesis tells.
    return stage === "failed" ? ref : started;
  });
  joining.close();
  if (session === ref) console.note(`playing session ${ref} of ${parseRef(ref)!.wallet}`);
  return session;
}

/** Waits until a look at something that changes gives a ref. @throws the error that it gives instead */
function reached(
  side: { subscribe(listener: () => void): () => void },
  look: () => Ref | Error | null,
): Promise<Ref> {
  return new Promise((resolve, reject) => {
    let over = false;
    const again = () => {
      if (over) return;
      const result = look();
      if (result === null) return;
      over = true;
      stop();
      if (result instanceof Error) reject(result);
      else resolve(result);
    };
    const stop = side.subscribe(again);
    queueMicrotask(again);
  });
}

async function playOut(
  { environment, log, strategy }: Table,
  session: Ref,
  json: boolean,
  console: Console,
): Promise<ExitCode> {
  console.note(`session ${session}`);
  let said = "";
  let leaveTable: () => void = () => undefined;
  const notSeated = new Promise<null>((done) => (leaveTable = () => done(null)));
  const seat = playSeat(environment, {
    session,
    log,
    strategy,
    onError: (error) => console.note(error instanceof Error ? error.message : String(error)),
    onChange: (peer) => {
      const { state, turn, seated, view } = peer.getSnapshot();
      if (view?.ok === true && !seated) leaveTable();
      const owed = turn.owes.map(({ what, round }) => `${what} ${round}`).join(", ") || "nothing";
      const text = `${state}: owes ${owed}, waits for ${turn.waitingFor.length}, ${turn.left} entries left`;
      if (text !== said) console.note((said = text));
    },
  });
  const interrupted = new Promise<null>((done) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => done(null));
  });
  const verdict = await Promise.race([seat.decided, interrupted, notSeated]).catch(() => null);
  const { seated } = seat.peer.getSnapshot();
  seat.close();
  if (verdict === null && !seated)
    throw new Unusable(`${session}: this wallet is no participant of that session`);
  if (verdict === null) return EXIT.open;
  if (json && verdict.ok)
    console.out(
      JSON.stringify({
        session,
        outcome: verdict.outcome,
        finality: verdict.finality,
        digest: verdict.digest,
      }),
    );
  else console.out(`${session}\n${describeVerdict(verdict, checksumAddress)}`);
  return EXIT.ok;
}
