// Whether what is shown is up to date, and by which way it comes: never more than is known.

import type { PeerSnapshot } from "../../../peer/peer.ts";
import type { FollowState } from "../../../session/session-follower.ts";
import { Icon, type IconName } from "../../components/icon.tsx";
import css from "../play.module.css";

const SAYS: Record<FollowState, { icon: IconName; word: string; title: string }> = {
  given: { icon: "file", word: "From a file", title: "Only the records at hand are shown." },
  reading: { icon: "clock", word: "Loading", title: "Nothing has been read yet." },
  live: {
    icon: "live",
    word: "Live",
    title: "The relay answers, and the last reading of the Hub was complete.",
  },
  polling: { icon: "refresh", word: "Polling", title: "No relay: the Hub is asked every few seconds." },
  behind: { icon: "clock", word: "Behind", title: "Entries that others refer to are still missing." },
  offline: {
    icon: "offline",
    word: "Offline",
    title: "The last reading of the Hub failed; it is tried again.",
  },
};

export function FollowBadge({ snapshot }: { snapshot: PeerSnapshot }) {
  const { icon, word, title } = SAYS[snapshot.state];
  return (
    <span className={css.badge} data-state={snapshot.state} title={title} role="status">
      <Icon name={icon} size={14} />
      {word}
    </span>
  );
}
