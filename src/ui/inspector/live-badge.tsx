// Whether what is shown keeps up with the session, in a word that tells the truth.

import { Button } from "../components/button.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import type { FollowState, SessionFollower } from "../../session/session-follower.ts";
import css from "./inspector.module.css";

const WORDS: { readonly [live in FollowState]: readonly [word: string, icon: IconName, title: string] } = {
  given: ["From a file", "file", "Only the records that you brought are shown; no Hub was asked."],
  reading: ["Reading", "refresh", "The Hub is being read."],
  live: ["Live", "live", "The relay tells of new entries; they are fetched and verified."],
  polling: ["Polling", "refresh", "The Hub is asked every few seconds; no relay tells of new entries."],
  behind: ["Behind", "warn", "Entries are missing, or a Hub could not be read: what is shown may be old."],
  offline: ["Offline", "offline", "The last reading of the Hub failed; it is tried again."],
};

export function LiveBadge({ live }: { live: FollowState }) {
  const [word, icon, title] = WORDS[live];
  return (
    <span className={css.live} data-live={live} title={title} role="status">
      <Icon name={icon} size={13} />
      {word}
    </span>
  );
}

/** For a session opened by a link: the relay learns of it only when the reader asks to follow it. */
export function FollowLive({ follower, isQuiet }: { follower: SessionFollower; isQuiet: boolean }) {
  if (!isQuiet) return null;
  return (
    <Button
      kind="quiet"
      size="s"
      icon="live"
      title="Asks the relay for news of this session; the relay then knows that you look at it"
      onClick={follower.followLive}
    >
      Follow live
    </Button>
  );
}
