// Links of the invite flow. All of a link lies behind its `#`, so no server sees it. A reply carries an accept's ref
// by hand, for when no relay does.

import { isRef, type Ref } from "../core/values.ts";

/** The app's URL up to and without `#`. */
export type AppUrl = string;

export function joinLink(app: AppUrl, invite: Ref): string {
  return `${app}#/join/${invite}`;
}

/** What a guest sends back to its host. */
export function acceptLink(app: AppUrl, invite: Ref, accept: Ref): string {
  return `${app}#/play?invite=${invite}&accept=${accept}`;
}

/** The invite's ref in a join link or alone; undefined where there is none to the last character. */
export function readJoin(text: string): Ref | undefined {
  const trimmed = text.trim();
  const found = /#\/join\/([^?&\s]+)$/.exec(trimmed)?.[1] ?? trimmed;
  return isRef(found) ? found : undefined;
}

/** The accept's ref in a reply, or alone. */
export function readReply(text: string): Ref | undefined {
  const trimmed = text.trim();
  const found = /[?&]accept=([^&\s]+)$/.exec(trimmed)?.[1] ?? trimmed;
  return isRef(found) ? found : undefined;
}
