import { expect, test } from "vitest";
import { openLog } from "../../log/log-writer.ts";
import { openSeat } from "../../peer/seat.ts";
import type { Owed, PeerSnapshot } from "../../peer/peer.ts";
import { World } from "../../testing/builders-world.ts";
import { localWallet } from "../../wallet/wallet.local.ts";
import { openDirectSession } from "../../invite/direct-session.ts";
import { followTurn, isMyMove, titleWith, type Signals } from "./turn-signal.ts";
import { seatOf } from "./seat-of.ts";

const [a, b] = [localWallet(`0x${"a1".repeat(32)}`), localWallet(`0x${"b2".repeat(32)}`)];

/** A page whose signals are written down. */
function page(hidden: boolean) {
  const told: string[] = [];
  const state = { hidden };
  const signals: Signals = {
    hidden: () => state.hidden,
    show: (title, body) => void told.push(`${title}: ${body}`),
    beep: () => void told.push("beep"),
  };
  return { told, signals, state };
}

const commit = (round: number): Owed => ({ what: "commit", round });

/** A seat whose turn is set by hand. */
function seat(game = "rps") {
  let snapshot = { session: "s", view: null, turn: { owes: [], busy: false } } as unknown as PeerSnapshot;
  const listeners = new Set<() => void>();
  return {
    getSnapshot: () => snapshot,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    turn(owes: readonly Owed[], busy = false) {
      const view = { ok: true, terms: { game } };
      snapshot = { ...snapshot, view, turn: { ...snapshot.turn, owes, busy } } as unknown as PeerSnapshot;
      listeners.forEach((listener) => listener());
    },
  };
}

test("in the background: told once for each move, not again after an attempt that failed", () => {
  const { told, signals } = page(true);
  const peer = seat();
  followTurn(peer, () => ({ notify: true, sound: true }), signals);
  peer.turn([]);
  expect(told).toEqual([]);
  peer.turn([commit(1)]);
  expect(told).toEqual(["beep", "Rock, paper, scissors: It is your move."]);
  peer.turn([commit(1)]);
  peer.turn([commit(1)], true); // signing
  peer.turn([commit(1)]); // declined
  expect(told).toHaveLength(2);
  peer.turn([{ what: "reveal", round: 1 }]); // the page opens it itself
  expect(told).toHaveLength(2);
  peer.turn([commit(2)]);
  expect(told).toHaveLength(4);
});

test("a second outbid signals again", () => {
  const { told, signals } = page(true);
  const peer = seat("auction");
  followTurn(peer, () => ({ notify: true, sound: false }), signals);
  const bid: Owed = { what: "bid", round: 1 };
  peer.turn([bid]);
  peer.turn([bid], true);
  peer.turn([]);
  peer.turn([bid]);
  expect(told).toEqual(["Auction: It is your move.", "Auction: It is your move."]);
});

test("no notification by default or in the foreground, and no signal on opening", () => {
  const { told, signals, state } = page(true);
  const peer = seat();
  followTurn(peer, () => ({ notify: false, sound: false }), signals);
  peer.turn([]);
  peer.turn([commit(1)]);
  expect(told).toEqual([]);
  state.hidden = false;
  const other = seat();
  followTurn(other, () => ({ notify: true, sound: true }), signals);
  other.turn([commit(1)]);
  expect(told).toEqual([]);
  other.turn([]);
  other.turn([commit(2)]);
  expect(told).toEqual(["beep"]);
});

test("a game not known here is not called by the name that strangers gave it", () => {
  const { told, signals } = page(true);
  const peer = seat("You have won, click here");
  followTurn(peer, () => ({ notify: true, sound: false }), signals);
  peer.turn([{ what: "vote", round: 1 }]);
  expect(told).toEqual(["Coop Explorer: It is your move."]);
});

test("a live session: each player is signalled its owed move, and nothing after the end", async () => {
  const world = new World();
  const [mine, theirs] = [world.env(), world.env()];
  const offer = { game: "rps", rules: {}, deadline: 13, default_outcome: { kind: "void" } } as const;
  const log = openLog(mine, a);
  const session = await openDirectSession(mine, log, offer, [a.address, b.address]);
  const peer = openSeat(mine, { session, log });
  const other = openSeat(theirs, { session, log: openLog(theirs, b) });
  const { told, signals } = page(true);
  const stop = followTurn(other, () => ({ notify: true, sound: false }), signals);
  await world.until(() => isMyMove(other.getSnapshot()) && isMyMove(peer.getSnapshot()));
  expect(told).toEqual(["Rock, paper, scissors: It is your move."]);
  stop();
  await Promise.all([seatOf(peer).commit("rock"), other.commit("rock")]);
  await world.until(() => other.getSnapshot().verdict?.ok === true && !isMyMove(other.getSnapshot()));
  expect(told).toHaveLength(1);
  peer.close();
  other.close();
});

test("the mark in the title is put once and taken off, whatever the title has become", () => {
  expect(titleWith("Board", true)).toBe("Your move · Board");
  expect(titleWith("Your move · Board", true)).toBe("Your move · Board");
  expect(titleWith("Your move · Board", false)).toBe("Board");
  expect(titleWith("Board", false)).toBe("Board");
});
