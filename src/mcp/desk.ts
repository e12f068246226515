// What the tools work on: the games of this process, the Hubs that it may ask, and where exports go.

import { writeAuditLink } from "../core/audit-link.ts";
import { writeBundle } from "../core/bundle.ts";
import type { JsonObject } from "../core/canonical.ts";
import type { Address, Ref } from "../core/values.ts";
import type { View } from "../core/view.ts";
import type { Hub } from "../hub/hub.ts";
import { joinLink } from "../invite/invite-links.ts";
import type { Lobby } from "../invite/lobby.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { describeGame } from "./describe-game.ts";
import type { Game } from "./game.ts";
import type { JoinedGames } from "./joined-games.ts";
import { Refusal } from "./refusal.ts";
import type { ToolAnswer } from "./tool.ts";

export interface Desk {
  readonly environment: PeerEnvironment;
  readonly games: JoinedGames;
  /** The one that is played at comes first. */
  readonly hubs: readonly Hub[];
  /** null without a relay. */
  readonly lobby: Lobby | null;
  /** The app that links open, up to and without `#`. */
  readonly app: string;
  /** Writes a file into the exports folder; resolves with its path. */
  readonly saveExport: (name: string, text: string) => Promise<string>;
  /** The built template of a report. @throws Refusal where the app is not built */
  readonly reportTemplate: () => Promise<string>;
}

export function addressOf({ games }: Desk): Address {
  return games.log.address;
}

/** @throws Refusal */
export function gameOf({ games }: Desk, ref: string): Game {
  const game = games.find(ref.trim());
  if (game !== undefined) return game;
  throw new Refusal("this process takes part in no such game: join_session or create_session comes first");
}

/** Where a game stands, with a link for whoever wants to audit it. */
export function stateOf(desk: Desk, game: Game): ToolAnswer {
  const snapshot = game.getSnapshot();
  const { sentences, data } = describeGame(snapshot, addressOf(desk), (invite) => joinLink(desk.app, invite));
  const view = snapshot.seat?.getSnapshot().view;
  if (view?.ok !== true) return { sentences, data };
  const link = auditLink(desk, view);
  return { sentences: [...sentences, `Audit link: ${link}`], data: { ...data, audit_link: link } };
}

/** Names the participants as witnesses. */
export function auditLink({ app, hubs }: Desk, view: View): string {
  const link = writeAuditLink({
    session: view.session,
    hubs: [hubs[0]!.name],
    witnesses: view.participants,
    state: new Map(),
  });
  return link.ok ? `${app}${link.hash}` : `${app}#/s/${view.session}`;
}

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

const SESSION = "coop://session/";
const BUNDLE = "coop://bundle/";
const JSON_TYPE = "application/json";
const LINES_TYPE = "application/x-ndjson";

export function bundleUri(session: Ref): string {
  return BUNDLE + session;
}

/** Two for each session: where it stands, and its records. */
export function listResources({ games }: Desk): readonly Resource[] {
  return games.list().flatMap((game): Resource[] => {
    const { session } = game.getSnapshot();
    if (session === null) return [];
    const short = session.slice(-8);
    return [
      {
        uri: SESSION + session,
        name: `session ${short}`,
        description: "Where the game stands",
        mimeType: JSON_TYPE,
      },
      {
        uri: BUNDLE + session,
        name: `bundle ${short}`,
        description: "All its records",
        mimeType: LINES_TYPE,
      },
    ];
  });
}

/** @throws Refusal where this process takes no part in that session */
export function readResource(desk: Desk, uri: string): { readonly mimeType: string; readonly text: string } {
  if (uri.startsWith(SESSION)) {
    const data: JsonObject = stateOf(desk, gameOf(desk, uri.slice(SESSION.length))).data;
    return { mimeType: JSON_TYPE, text: JSON.stringify(data) };
  }
  if (!uri.startsWith(BUNDLE)) throw new Refusal(`a resource begins with ${SESSION} or ${BUNDLE}`);
  const { session, seat } = gameOf(desk, uri.slice(BUNDLE.length)).getSnapshot();
  if (session === null || seat === null)
    throw new Refusal("the session has not begun: it has no records yet");
  return { mimeType: LINES_TYPE, text: writeBundle(session, seat.getSnapshot().records) };
}
