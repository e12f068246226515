// Public entry `coop-explorer/peer`: a participant: its key, its log, its seat in a session, invites, strategies.

/**
 * Takes part in sessions. {@link openLog} appends to a wallet's own log and survives a restart; {@link openSeat} plays in one
 * session: it keeps salts, commits, opens, and mirrors what it refers to; {@link openWatcher} looks on; {@link playSeat} lets a {@link Strategy} choose the
 * moves. Time, randomness, storage and locks come by argument ({@link PeerEnvironment}).
 *
 * @module peer
 */

export { openSeat } from "../peer/seat.ts";
export type { OpenSeatOptions } from "../peer/seat.ts";
export { openWatcher } from "../peer/watcher.ts";
export type { PeerEnvironment } from "../peer/environment.ts";
export type {
  MoveStage,
  Owed,
  Peer,
  PeerSnapshot,
  Seat,
  SeatSettings,
  SentMove,
  ShownStage,
  Turn,
  Watcher,
} from "../peer/peer.ts";
export { openLog, LogWriter } from "../log/log-writer.ts";
export type { Draft, LogEnvironment, WriteProgress } from "../log/log-writer.ts";
export { MoveError } from "../log/move-error.ts";
export type { MoveCode } from "../log/move-error.ts";
export type { Wallet } from "../wallet/wallet.ts";
export { addressOfSecret, generateSecret, localWallet } from "../wallet/wallet.local.ts";
export type { LocalWallet, SecretHex } from "../wallet/wallet.local.ts";
export { injectedWallet } from "../wallet/wallet.injected.ts";
export type { Eip1193Provider, InjectedWallet } from "../wallet/wallet.injected.ts";
export { WalletError } from "../wallet/wallet-error.ts";
export type { WalletCode } from "../wallet/wallet-error.ts";
export { memoryStore } from "../platform/key-value-store.memory.ts";
export { StoreError } from "../platform/key-value-store.ts";
export type { Durability, Store } from "../platform/key-value-store.ts";
export { localLocks } from "../platform/locks.ts";
export type { Locks } from "../platform/locks.ts";
export type { Clock } from "../platform/clock.ts";
export type { RandomBytes } from "../platform/random-bytes.ts";
export type { Subscribable } from "../platform/observable.ts";
export { hostInvite, resumeHost } from "../invite/invite-host.ts";
export type { HostOptions } from "../invite/invite-host.ts";
export { joinInvite } from "../invite/invite-guest.ts";
export { joinLink, readJoin } from "../invite/invite-links.ts";
export type { Host, Joining, Offer } from "../invite/invite.ts";
export { openDirectSession } from "../invite/direct-session.ts";
export { openLobby } from "../invite/lobby.ts";
export type { Lobby, OpenInvite } from "../invite/lobby.ts";
export { openBot } from "../bot/bot.ts";
export type { Bot, BotOptions } from "../bot/bot.ts";
export { playSeat } from "../bot/seat-player.ts";
export type { SeatOptions, SeatPlayer } from "../bot/seat-player.ts";
export { randomStrategy } from "../bot/strategy.ts";
export type { Answer, Situation, Strategy } from "../bot/strategy.ts";
