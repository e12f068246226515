// Which session an agent plays: one that is given, one that comes of an invite (by a link, or open in the lobby), or
// of an invite of its own.

import { isRef, parseRef, parseTypedAddress, type Address, type Ref } from "../core/values.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { joinInvite } from "../invite/invite-guest.ts";
import { hostInvite } from "../invite/invite-host.ts";
import { acceptLink, joinLink, readJoin, readReply } from "../invite/invite-links.ts";
import type { Host, Offer } from "../invite/invite.ts";
import { keepAnnounced, openLobby, type OpenInvite } from "../invite/lobby.ts";
import type { LogWriter } from "../log/log-writer.ts";
import { Unusable, type SafeConsole } from "./console.ts";
import { shown } from "./source.ts";
import { errorText } from "../platform/coded-error.ts";

/** Longest session of a stranger's that is entered, in entries. */
const MAX_DEADLINE = 1000;

export interface Player {
  readonly environment: PeerEnvironment;
  readonly log: LogWriter;
  readonly hub: string;
  readonly console: SafeConsole;
}

export type Target =
  | { readonly kind: "address"; readonly address: Address }
  /** An invite or a session: which of the two, its entry tells. */
  | { readonly kind: "ref"; readonly ref: Ref };

/** @throws Unusable */
export function readTarget(text: string): Target {
  const ref = readJoin(text) ?? (isRef(text) ? text : /#\/s\/([^?/\s]+)/.exec(text)?.[1]);
  if (isRef(ref)) return { kind: "ref", ref };
  const typed = parseTypedAddress(text);
  if (typed.ok) return { kind: "address", address: typed.address };
  throw new Unusable(
    `${shown(text)}: ${typed.code === "bad-checksum" ? "an address with a wrong checksum" : "neither a join link, nor an invite, a session id or an address"}`,
  );
}

export interface Hosting {
  readonly players: number;
  /** Called by its inbox; null: whoever comes. */
  readonly guest: Address | null;
  /** Announced in the lobby. */
  readonly open: boolean;
  /** Of a private session: a named domain of the host's own. */
  readonly domain?: string | undefined;
}

/**
 * Signs an invite and waits until its session has begun. A guest's reply that no relay carries is a line of standard
 * input; where both have called each other on the same terms, one invite is joined. @throws Unusable where it failed
 */
export async function host(player: Player, offer: Offer, hosting: Hosting): Promise<Ref> {
  const { environment, log, hub, console } = player;
  const expected = new Map(hosting.guest === null ? [] : [[hosting.guest, 0]]);
  const { players, domain } = hosting;
  const options = { players, hostPlays: true, expected, ...(domain !== undefined && { domain }) };
  const side = hostInvite(environment, log, offer, options);
  const stop = hosting.open ? keepAnnounced(environment, side) : () => undefined;
  const endReplies = console.onLine((line) => void takeReply(player, side, line));
  let told = false;
  let said: string | null = null;
  let began: Ref | { readonly instead: Ref };
  try {
    began = await reached<Ref | { readonly instead: Ref }>(side, () => {
      const { invite, session, instead, stage, problem } = side.getSnapshot();
      if (invite !== null && !told) {
        told = true;
        console.note(`invite ${joinLink(`${hub}/`, invite)}`);
        for (const address of expected.keys()) environment.channel?.publish(address, invite);
      }
      if (problem !== null && problem !== said) console.note((said = problem));
      if (stage === "failed") return new Unusable(problem ?? "the invite failed");
      return stage === "open" && instead !== null ? { instead } : session;
    });
  } finally {
    stop();
    endReplies();
    side.close();
  }
  return typeof began === "string" ? began : join(player, began.instead);
}

/** A reply that the Hub has not got yet is looked for from now on, so only the form of a line can be wrong for good. */
async function takeReply({ console }: Player, side: Host, line: string): Promise<void> {
  if (line.trim() === "") return;
  const reply = readReply(line);
  if (reply === undefined) return console.note(`${shown(line)}: no reply`);
  const taken = await side.offerAccept(reply).catch(() => false);
  console.note(`${reply}: ${taken ? "accepted" : "no accept of this invite at the Hub so far"}`);
}

/** Joins an invite and waits for its session; what leads to no invite is taken for a session. */
export async function join(player: Player, ref: Ref): Promise<Ref> {
  const { environment, log, hub, console } = player;
  const joining = joinInvite(environment, log, ref);
  console.note(`reading ${ref}`);
  let told = false;
  try {
    const session = await reached<Ref>(joining, () => {
      const { stage, accept, session: started, problem } = joining.getSnapshot();
      if (stage === "offered" && problem === null) {
        joining.accept().catch((error: unknown) => console.note(errorText(error)));
        return null;
      }
      if (stage === "waiting" && accept !== null && !told) {
        told = true;
        console.note("accepted; the game begins once the host has seen it");
        console.note(`reply ${acceptLink(`${hub}/`, ref, accept)}`);
      }
      if (problem !== null && stage !== "failed") console.note(problem);
      return stage === "failed" ? ref : started;
    });
    if (session === ref) console.note(`playing session ${ref} of ${parseRef(ref)!.wallet}`);
    return session;
  } finally {
    joining.close();
  }
}

/** Joins open invites of the lobby, of that game if one is named, until one of them begins with this wallet. */
export async function joinLobby(player: Player, game: string | undefined): Promise<Ref> {
  const { environment, log, console } = player;
  const lobby = openLobby(environment);
  const tried = new Set<Ref>();
  console.note("waiting in the lobby");
  try {
    for (;;) {
      const invite = await reached(lobby, () => {
        const fits = (one: OpenInvite) =>
          one.host !== log.address &&
          !tried.has(one.invite) &&
          (game === undefined || one.offer.game === game) &&
          one.offer.deadline <= MAX_DEADLINE;
        return lobby.getSnapshot().find(fits)?.invite ?? null;
      });
      tried.add(invite);
      const session = await joinOpen(player, invite);
      if (session !== null) return session;
    }
  } finally {
    lobby.close();
  }
}

/** Null where the host has begun with somebody else, or the invite is none. */
async function joinOpen({ environment, log, console }: Player, invite: Ref): Promise<Ref | null> {
  const joining = joinInvite(environment, log, invite);
  console.note(`joins ${invite}`);
  try {
    const result = await reached(joining, () => {
      const { stage, session, problem, elsewhere } = joining.getSnapshot();
      if (stage === "offered" && problem === null)
        joining.accept().catch((error: unknown) => console.note(errorText(error)));
      if (session !== null) return session;
      const isOver = stage === "failed" || elsewhere;
      if (isOver) console.note(problem ?? "the invite failed");
      return isOver ? "over" : null;
    });
    return result === "over" ? null : result;
  } finally {
    joining.close();
  }
}

/** Waits until a look at something that changes gives a result. @throws the error that it gives instead */
function reached<T>(
  side: { subscribe(listener: () => void): () => void },
  look: () => T | Error | null,
): Promise<T> {
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
