// A follower over a Hub that is stepped by hand: what was given, what is read and followed, and what the relay is told.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { utf8 } from "../core/bytes.ts";
import type { Channel } from "../channel/channel.ts";
import { LazyChannel } from "../channel/channel.lazy.ts";
import { MemoryBroker } from "../channel/channel.memory.ts";
import { parseCandidate } from "../core/entry.ts";
import type { Ref } from "../core/values.ts";
import { HubError } from "../hub/hub-error.ts";
import type { Hub } from "../hub/hub.ts";
import { appendKey } from "../hub/log-keys.ts";
import { createInlineVerifier } from "../verify/verifier.inline.ts";
import { seededBytes } from "../testing/builders-world.ts";
import { ManualClock } from "../testing/network-clock.ts";
import { SessionFollower, type SessionSnapshot } from "./session-follower.ts";

interface Vector {
  readonly name: string;
  readonly session: Ref;
  readonly records: readonly string[];
  readonly expect: { readonly verdict: { readonly digest: string } };
}
const vectors = JSON.parse(readFileSync("public/vectors/sessions.json", "utf8")) as Vector[];
const game = vectors.find(({ name }) => name === "rps rock against paper")!;

/** A Hub that holds the first `count` records of the game, by place in each author's log. */
function hubWith(held: { count: number; down?: boolean }): Hub {
  const find = (owner: string, seq: number) =>
    game.records.slice(0, held.count).find((record) => {
      const parsed = parseCandidate(record);
      return parsed.ok && parsed.value.wallet === owner && parsed.value.seq === seq;
    });
  const fail = () => {
    if (held.down === true) throw new HubError("offline", "down");
  };
  return {
    name: "test",
    put: () => Promise.reject(new Error("read only")),
    get: async (owner, key) => {
      fail();
      for (let seq = 0; seq < 10; seq++) {
        const record = find(owner, seq);
        if (key === appendKey(seq) && record !== undefined) return utf8(record);
      }
      return null;
    },
    page: async (owner, conversation, offset) => {
      fail();
      if (conversation !== "coop1") return [];
      const texts: string[] = [];
      for (let seq = offset; seq < 10; seq++) {
        const record = find(owner, seq);
        if (record !== undefined) texts.push(record);
      }
      return texts;
    },
    ping: async () => fail(),
  };
}

/** Steps: the follower's own timers run only when told to. */
function followerOf(options: {
  hubs: readonly Hub[];
  given?: readonly string[];
  channel?: Channel;
  quiet?: boolean;
}) {
  const clock = new ManualClock();
  const follower = new SessionFollower({
    session: game.session,
    given: options.given ?? [],
    hubs: options.hubs,
    verifier: createInlineVerifier(),
    channel: options.channel ?? null,
    quiet: options.quiet ?? false,
    clock,
    random: seededBytes(1),
  });
  /** Lets ten seconds pass, a little at a time, and everything happen in between. */
  const poll = async () => {
    for (let i = 0; i < 100; i++) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(100);
    }
  };
  return { follower, poll };
}

function until(
  follower: SessionFollower,
  done: (snapshot: SessionSnapshot) => boolean,
): Promise<SessionSnapshot> {
  return new Promise((resolve) => {
    const look = () => {
      const snapshot = follower.getSnapshot();
      if (!done(snapshot)) return;
      resolve(snapshot);
      queueMicrotask(() => stop());
    };
    const stop = follower.subscribe(look);
    look();
  });
}
const isVerified = ({ stage, progress }: SessionSnapshot) => stage?.level === "verified" && progress === null;

test("what was given is verified with nobody asked", async () => {
  const { follower } = followerOf({ hubs: [], given: game.records });
  const levels: string[] = [];
  follower.subscribe(() => {
    const level = follower.getSnapshot().stage?.level;
    if (level !== undefined && levels.at(-1) !== level) levels.push(level);
  });
  const { stage, state: live } = await until(follower, isVerified);
  expect([levels, live]).toEqual([["authenticated", "verified"], "given"]);
  expect(stage?.verdict).toMatchObject({ ok: true, digest: game.expect.verdict.digest });
});

test("what a Hub holds is read and followed: a poll finds what was written since", async () => {
  const held = { count: game.records.length - 1 };
  const { follower, poll } = followerOf({ hubs: [hubWith(held)] });
  const stop = follower.subscribe(() => undefined);
  const first = await until(follower, isVerified);
  expect([first.state, first.stage?.verdict]).toMatchObject(["polling", { status: "pending" }]);
  held.count++;
  void poll();
  const last = await until(
    follower,
    (s) => isVerified(s) && s.stage?.report.states.length === game.records.length,
  );
  expect(last.stage?.verdict).toMatchObject({ ok: true, digest: game.expect.verdict.digest });
  stop();
});

test("a Hub that does not answer is offline, before and after something was read", async () => {
  const held = { count: game.records.length, down: true };
  const { follower } = followerOf({ hubs: [hubWith(held)] });
  const stop = follower.subscribe(() => undefined);
  expect((await until(follower, ({ state }) => state !== "reading")).state).toBe("offline");
  held.down = false;
  void follower.refresh();
  await until(follower, (s) => isVerified(s) && s.records.length === game.records.length);
  held.down = true;
  void follower.refresh();
  expect((await until(follower, ({ state }) => state === "offline")).records.length).toBe(
    game.records.length,
  );
  stop();
});

describe("the relay", () => {
  /** A channel that says when it was opened, and a way to announce on the same broker. */
  function relay() {
    const broker = new MemoryBroker(() => undefined);
    let opened = 0;
    const channel = new LazyChannel(() => {
      opened++;
      return broker.connect();
    });
    return { channel, opened: () => opened, announce: broker.connect() };
  }
  const entries = game.records.length;
  const last = parseCandidate(game.records.at(-1)!);
  const lastRef = last.ok ? last.value.ref : game.session;

  test("subscribes to a quiet session only when its reader follows it", async () => {
    const { channel, opened, announce } = relay();
    const held = { count: entries - 1 };
    const { follower, poll } = followerOf({ hubs: [hubWith(held)], channel, quiet: true });
    const stop = follower.subscribe(() => undefined);
    const first = await until(follower, isVerified);
    expect([first.state, first.isQuiet, opened()]).toEqual(["polling", true, 0]);
    follower.followLive();
    expect([follower.getSnapshot().state, follower.getSnapshot().isQuiet, opened()]).toEqual([
      "live",
      false,
      1,
    ]);
    held.count++;
    announce.publish(game.session, lastRef);
    void poll(); // the timer that the announcement has set
    const last = await until(follower, (s) => isVerified(s) && s.records.length === entries);
    expect(last.state).toBe("live");
    stop();
  });

  test("subscribes at once to an open one, and asking twice changes nothing", async () => {
    const { channel, opened } = relay();
    const { follower } = followerOf({ hubs: [hubWith({ count: entries })], channel });
    const stop = follower.subscribe(() => undefined);
    follower.followLive();
    expect((await until(follower, isVerified)).state).toBe("live");
    expect([follower.getSnapshot().isQuiet, opened()]).toEqual([false, 1]);
    stop();
  });

  test("does not matter to what comes from a file alone", () => {
    const { channel, opened } = relay();
    const { follower } = followerOf({ hubs: [], given: game.records, channel, quiet: true });
    follower.subscribe(() => undefined)();
    expect([follower.getSnapshot().isQuiet, opened()]).toEqual([false, 0]);
  });
});
