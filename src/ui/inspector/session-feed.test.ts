import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { utf8 } from "../../core/bytes.ts";
import type { Channel } from "../../channel/channel.ts";
import { LazyChannel } from "../../channel/channel.lazy.ts";
import { MemoryBroker } from "../../channel/channel.memory.ts";
import { parseCandidate } from "../../core/entry.ts";
import type { Ref } from "../../core/values.ts";
import { HubError } from "../../hub/hub-error.ts";
import type { Hub } from "../../hub/hub.ts";
import { appendKey } from "../../hub/log-keys.ts";
import { createInlineVerifier } from "../../verify/verifier.inline.ts";
import { SessionFeed, type SessionSnapshot } from "./session-feed.ts";

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

/** Steps: the feed's own timers run only when told to. */
function feedOf(options: {
  hubs: readonly Hub[];
  given?: readonly string[];
  channel?: Channel;
  quiet?: boolean;
}) {
  let due: (() => void) | undefined;
  let wanted = false;
  const feed = new SessionFeed({
    session: game.session,
    given: options.given ?? [],
    hubs: options.hubs,
    verifier: createInlineVerifier(),
    channel: options.channel ?? null,
    quiet: options.quiet ?? false,
    after: (_ms, work) => {
      if (wanted) queueMicrotask(work);
      else due = work;
      wanted = false;
      return () => (due = undefined);
    },
  });
  /** Runs the timer that is set, or the next one as soon as it is. */
  const poll = () => {
    if (due === undefined) wanted = true;
    else due();
  };
  return { feed, poll };
}

function until(feed: SessionFeed, done: (snapshot: SessionSnapshot) => boolean): Promise<SessionSnapshot> {
  return new Promise((resolve) => {
    const look = () => {
      const snapshot = feed.getSnapshot();
      if (!done(snapshot)) return;
      resolve(snapshot);
      queueMicrotask(() => stop());
    };
    const stop = feed.subscribe(look);
    look();
  });
}
const isVerified = ({ stage, progress }: SessionSnapshot) => stage?.level === "verified" && progress === null;

test("what was given is verified with nobody asked", async () => {
  const { feed } = feedOf({ hubs: [], given: game.records });
  const levels: string[] = [];
  feed.subscribe(() => {
    const level = feed.getSnapshot().stage?.level;
    if (level !== undefined && levels.at(-1) !== level) levels.push(level);
  });
  const { stage, live } = await until(feed, isVerified);
  expect([levels, live]).toEqual([["authenticated", "verified"], "given"]);
  expect(stage?.verdict).toMatchObject({ ok: true, digest: game.expect.verdict.digest });
});

test("what a Hub holds is read and followed: a poll finds what was written since", async () => {
  const held = { count: game.records.length - 1 };
  const { feed, poll } = feedOf({ hubs: [hubWith(held)] });
  const stop = feed.subscribe(() => undefined);
  const first = await until(feed, isVerified);
  expect([first.live, first.stage?.verdict]).toMatchObject(["polling", { status: "pending" }]);
  held.count++;
  poll();
  const last = await until(
    feed,
    (s) => isVerified(s) && s.stage?.report.states.length === game.records.length,
  );
  expect(last.stage?.verdict).toMatchObject({ ok: true, digest: game.expect.verdict.digest });
  stop();
});

test("a Hub that does not answer is said to be offline, and behind once something was read", async () => {
  const held = { count: game.records.length, down: true };
  const { feed } = feedOf({ hubs: [hubWith(held)] });
  const stop = feed.subscribe(() => undefined);
  expect((await until(feed, ({ live }) => live !== "reading")).live).toBe("offline");
  held.down = false;
  feed.refresh();
  await until(feed, (s) => isVerified(s) && s.records.length === game.records.length);
  held.down = true;
  feed.refresh();
  expect((await until(feed, ({ live }) => live === "behind")).records.length).toBe(game.records.length);
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

  test("subscribes to a quiet session only when its reader follows it", async () => {
    const { channel, opened, announce } = relay();
    const held = { count: entries - 1 };
    const { feed, poll } = feedOf({ hubs: [hubWith(held)], channel, quiet: true });
    const stop = feed.subscribe(() => undefined);
    const first = await until(feed, isVerified);
    expect([first.live, first.isQuiet, opened()]).toEqual(["polling", true, 0]);
    feed.followLive();
    expect([feed.getSnapshot().live, feed.getSnapshot().isQuiet, opened()]).toEqual(["live", false, 1]);
    held.count++;
    announce.publish(game.session, game.session);
    poll(); // the timer that the announcement has set
    const last = await until(feed, (s) => isVerified(s) && s.records.length === entries);
    expect(last.live).toBe("live");
    stop();
  });

  test("subscribes at once to an open one, and asking twice changes nothing", async () => {
    const { channel, opened } = relay();
    const { feed } = feedOf({ hubs: [hubWith({ count: entries })], channel });
    const stop = feed.subscribe(() => undefined);
    feed.followLive();
    expect((await until(feed, isVerified)).live).toBe("live");
    expect([feed.getSnapshot().isQuiet, opened()]).toEqual([false, 1]);
    stop();
  });

  test("does not matter to what comes from a file alone", () => {
    const { channel, opened } = relay();
    const { feed } = feedOf({ hubs: [], given: game.records, channel, quiet: true });
    feed.subscribe(() => undefined)();
    expect([feed.getSnapshot().isQuiet, opened()]).toEqual([false, 0]);
  });
});
