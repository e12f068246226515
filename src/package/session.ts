// Public entry `coop-explorer/session`: collects the records of a session from Hubs.

/**
 * Reads a session: all logs of its participants, what its genesis pins, and their mirrors, from one Hub or several. The
 * result is bytes and notes on what could not be read; `auditRecords` of `coop-explorer/verify` makes the verdict.
 * {@link SessionFollower} reads, verifies and judges as the session goes on.
 *
 * @example
 * const { records, notes } = await collectSession([hub], session);
 *
 * @module session
 */

export { collectSession, COLLECT_LIMITS } from "../session/collect-session.ts";
export type {
  Collected,
  CollectLimits,
  CollectNote,
  CollectOptions,
  Cursor,
  RecordOrigin,
} from "../session/collect-session.ts";
export { collectSources } from "../session/collect-sources.ts";
export type { SessionSource, SessionSources, SourcesOptions } from "../session/collect-sources.ts";
export { SessionFollower } from "../session/session-follower.ts";
export type {
  FollowerOptions,
  FollowNote,
  FollowState,
  SessionSnapshot,
} from "../session/session-follower.ts";
