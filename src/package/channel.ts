// Public entry `coop-explorer/channel`: announcements of new entries.

/**
 * A channel carries refs, never entries: it says that something is new, and the reader fetches and verifies it from a Hub.
 * A lost or invented announcement costs time, nothing else. {@link MemoryBroker} joins participants of one process,
 * {@link TabChannel} tabs of one browser, {@link RelayChannel} speaks to a relay over a WebSocket.
 *
 * @module channel
 */

export type { Channel, ChannelState, Topic } from "../channel/channel.ts";
export { MemoryBroker } from "../channel/channel.memory.ts";
export { TabChannel } from "../channel/channel.broadcast.ts";
export type { BroadcastLike } from "../channel/channel.broadcast.ts";
export { RelayChannel, RELAY_TIMING } from "../channel/channel.websocket.ts";
export type { RelayChannelOptions, RelayTiming, SocketLike } from "../channel/channel.websocket.ts";
