// `coop play`: an agent that plays as the bot, as guest of an invite, or as host who calls an address.

import { join, resolve } from "node:path";
import { isObject, parseJson, type JsonObject } from "../core/canonical.ts";
import { writeAuditLink } from "../core/audit-link.ts";
import { readTerms } from "../core/session.ts";
import { checksumAddress, type Ref } from "../core/values.ts";
import { describeVerdict } from "../games/describe.ts";
import { GAMES, gameOf } from "../games/judge.ts";
import { openBot } from "../bot/bot.ts";
import type { Offer } from "../invite/invite.ts";
import { fetchEntry } from "../invite/invite-entries.ts";
import { describeKeyProblem, openDomain } from "../peer/domain-keys.ts";
import { openLog } from "../log/log-writer.ts";
import { playSeat } from "../bot/seat-player.ts";
import { readArguments, type Arguments } from "./arguments.ts";
import { chooseStrategy, STRATEGY_HELP, STRATEGY_VALUES, type Chosen } from "./choose-strategy.ts";
import { EXIT, Unusable, type SafeConsole, type ExitCode } from "./console.ts";
import { host, join as joinInvite, joinLobby, readTarget, type Player } from "./find-session.ts";
import { checkIsHub, hubUrl, openHub, relayOf } from "./open-hub.ts";
import { keyNamed, openPeerEnvironment, openRelay, systemRandom } from "./ports.ts";
import { shown } from "./source.ts";
import { errorText } from "../platform/coded-error.ts";

export const PLAY_HELP = `coop play <join link | invite | session id | address> [--game NAME] [--rules JSON] …
coop play --lobby [--game NAME]
coop play --bot [--game NAME]
coop play [--open] [--players N] [--game NAME] [--rules JSON]

Plays as an agent: joins the invite of a link or one that is open in the lobby, goes
on with a session it sits in, calls the wallet of an address (the bot, say), runs as
a bot, or, without an opponent, prints an invite and waits for guests. Where no
relay carries it, a guest's reply is given to the host as a line of standard input.
  --game NAME        ${GAMES.map(({ name }) => name).join(", ")} (default rps); with --bot and --lobby the one it plays (default all)
  --rules JSON       rules of the game (default {})
  --deadline N       entry budget of the session (default 61)
  --players N        participants of its own invite, itself included (default 2)
  --open             announces its own invite in the lobby
  --private          seals the moves of its own invite's session: only players and
                     holders of the key can read them
  --domain NAME      with --private: a named domain of yours, whose key serves several
                     sessions; all who play in it can read all of them
  --print-key        prints a link that opens a private session to all who get it
${STRATEGY_HELP}
  --hub URL          default COOP_HUB, else http://127.0.0.1:8787
  --relay URL        default the Hub's own /relay; "none": by polling alone
  --data DIR         where key, salts and outbox are kept (default .data/agent)
  --key NAME         which key of the vault (default agent), made on first use
  --json             the result as one JSON object
Exit: 0 decided (bot: stopped by a signal), 2 ended before a verdict, 3 unusable input.

A strategy is called with {wallet, view, verdict, owed, left, refused, signal} whenever
it owes a move (owed.what: commit, vote or bid; owed.round) and answers, at once or as
a promise,
  {kind: "commit", value}           a value that is committed to and opened later
  {kind: "append", type, body}      a vote, a bid, a pass
  null                              no move now; asked again when something has changed
An answer that cannot be played is refused, and the next question says why.`;

const VALUES = [
  "game",
  "rules",
  "deadline",
  "players",
  "domain",
  "hub",
  "relay",
  "data",
  "key",
  ...STRATEGY_VALUES,
];
const SWITCHES = ["bot", "lobby", "open", "private", "print-key", "json"];
const MAX_PLAYERS = 128;

/** A player and how it chooses its moves. */
interface PlayContext extends Player {
  readonly chosen: Chosen;
}

export async function play(args: readonly string[], console: SafeConsole): Promise<ExitCode> {
  const given = readArguments(args, { values: VALUES, switches: SWITCHES }, 1);
  const game = given.value("game");
  if (game !== undefined && gameOf(game) === undefined)
    throw new Unusable(`--game ${shown(game)}: one of ${GAMES.map(({ name }) => name).join(", ")}`);
  const find = readAim(given, game);
  const context = await openContext(given, console);
  console.note(`wallet ${checksumAddress(context.log.address)} on ${context.hub}`);
  try {
    if (given.has("bot")) return await runBot(context, game);
    const session = await find(context);
    const code = await playOut(context, session, given.has("json"));
    if (given.has("print-key")) await printKey(context, session);
    return code;
  } finally {
    context.log.close();
    context.environment.channel?.close();
    await context.chosen.close();
  }
}

/** How its session is found. @throws Unusable where the arguments do not go together */
function readAim(given: Arguments, game: string | undefined): (player: Player) => Promise<Ref> {
  const opponent = given.positionals[0];
  const target = opponent === undefined ? undefined : readTarget(opponent);
  const calm = ["bot", "lobby", "open"].filter((name) => given.has(name));
  if (calm.length > 1) throw new Unusable(`--${calm.join(" and --")}: one of them`);
  if (calm.length > 0 && target !== undefined) throw new Unusable(`--${calm[0]} calls nobody: it waits`);
  if (given.has("lobby") && given.value("relay") === "none")
    throw new Unusable("--lobby: open invites are announced by a relay, and there is none");
  const isHosting = !given.has("bot") && !given.has("lobby") && target?.kind !== "ref";
  if (given.has("private") && !isHosting)
    throw new Unusable("--private: for an invite of its own; of another's session its invite decides");
  if (given.value("domain") !== undefined && !given.has("private"))
    throw new Unusable("--domain: with --private only");
  if (given.has("lobby")) return (player) => joinLobby(player, game);
  if (target?.kind === "ref") return (player) => joinInvite(player, target.ref);
  const offer = readOffer(given, game ?? "rps");
  const text = given.value("players") ?? "2";
  if (!/^[1-9]\d{0,2}$/.test(text) || Number(text) > MAX_PLAYERS)
    throw new Unusable(`--players ${shown(text)}: a number from 1 to ${MAX_PLAYERS}`);
  const hosting = {
    players: Number(text),
    guest: target?.address ?? null,
    open: given.has("open"),
    domain: given.value("domain"),
  };
  return (player) => host(player, offer, hosting);
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
    ...(given.has("private") && { private: true }),
  };
}

async function openContext(given: Arguments, console: SafeConsole): Promise<PlayContext> {
  const hub = hubUrl(given.value("hub"));
  const client = openHub(hub);
  await checkIsHub(client);
  const relay = given.value("relay") ?? relayOf(hub);
  const folder = resolve(given.value("data") ?? join(".data", "agent"));
  const chosen = await chooseStrategy(given, systemRandom, console);
  const channel = relay === "none" ? null : openRelay(relay);
  const environment = await openPeerEnvironment(folder, client, channel);
  const log = openLog(environment, await keyNamed(folder, given.value("key") ?? "agent"));
  return { environment, log, chosen, hub, console };
}

async function runBot(
  { environment, log, chosen, console }: PlayContext,
  game: string | undefined,
): Promise<ExitCode> {
  const games = game === undefined ? GAMES.map(({ name }) => name) : [game];
  const bot = openBot(environment, log, { games, ...chosen, onEvent: (text) => console.note(text) });
  console.out(bot.address);
  console.note(`bot for ${games.join(", ")}; stop it by a signal`);
  await new Promise<void>((done) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => done());
  });
  bot.close();
  return EXIT.ok;
}

/** A link that opens a private session to all who get it: only on request. */
async function printKey({ environment, log, hub, console }: PlayContext, session: Ref): Promise<void> {
  const genesis = await fetchEntry(environment.hub, session);
  const terms = genesis === undefined ? undefined : readTerms(genesis);
  const domain = terms?.ok === true ? terms.value.domain : undefined;
  if (domain === undefined) return console.note("this session is not private: it has no key");
  const opened = await openDomain(environment.store, log.wallet, domain);
  if (!opened.ok) return console.note(describeKeyProblem(opened.error));
  const link = writeAuditLink({ session, hubs: [hub], key: opened.value, state: new Map() });
  if (link.ok) console.out(`${hub}/${link.hash}`);
}

async function playOut(
  { environment, log, chosen, console }: PlayContext,
  session: Ref,
  json: boolean,
): Promise<ExitCode> {
  console.note(`session ${session}`);
  let said = "";
  let stopWaiting: () => void = () => undefined;
  const notSeated = new Promise<null>((done) => (stopWaiting = () => done(null)));
  const seat = playSeat(environment, {
    ...chosen,
    session,
    log,
    onError: (error) => console.note(errorText(error)),
    onChange: (peer) => {
      const { state, turn, seated, view, keyProblem } = peer.getSnapshot();
      if (view?.ok === true && (!seated || keyProblem !== null)) stopWaiting();
      const owed = turn.owes.map(({ what, round }) => `${what} ${round}`).join(", ") || "nothing";
      const text = `${state}: owes ${owed}, waits for ${turn.waitingFor.length}, ${turn.left} entries left`;
      if (text !== said) console.note((said = text));
    },
  });
  const interrupted = new Promise<null>((done) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => done(null));
  });
  const verdict = await Promise.race([seat.decided, interrupted, notSeated]).catch(() => null);
  const { seated, keyProblem } = seat.peer.getSnapshot();
  seat.close();
  if (seated && keyProblem !== null) throw new Unusable(`${session}: ${describeKeyProblem(keyProblem)}`);
  if (verdict === null && !seated)
    throw new Unusable(`${session}: this wallet is no participant of that session`);
  if (verdict === null) return EXIT.open;
  if (json && verdict.ok)
    console.json({
      session,
      outcome: verdict.outcome,
      finality: verdict.finality,
      digest: verdict.digest,
    });
  else {
    console.out(session);
    console.out(describeVerdict(verdict, checksumAddress));
  }
  return EXIT.ok;
}
