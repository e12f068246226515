// What every channel promises; each implementation's test runs this suite. A test that expects nothing to come
// publishes a marker after it: channels keep the order of one publisher.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Address, Hash, Ref } from "../core/values.ts";
import type { Channel } from "./channel.ts";

/** A medium of its own, on which any number of channels meet. */
export interface Medium {
  connect(): Channel;
  close(): Promise<void>;
}

export const ALICE: Address = `0x${"a1".repeat(20)}`;
export const BOB: Address = `0x${"b0".repeat(20)}`;

/** A well-formed ref, a different one for each number. */
export function refOf(n: number, wallet: Address = ALICE): Ref {
  const hash: Hash = `0x${n.toString(16).padStart(64, "0")}`;
  return `${wallet}:${n}:${hash}`;
}

/** Waits, turn by turn of the event loop, until the condition holds; the test's own timeout is the limit. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

export function channelContract(name: string, open: () => Promise<Medium>): void {
  describe(`8 channel contract: ${name}`, () => {
    let medium: Medium;
    let channels: Channel[];
    const connect = async (): Promise<Channel> => {
      const channel = medium.connect();
      channels.push(channel);
      await until(() => channel.getState() === "live");
      return channel;
    };
    const listen = (channel: Channel, topic: string): Ref[] => {
      const heard: Ref[] = [];
      channel.subscribe(topic, (ref) => heard.push(ref));
      return heard;
    };
    beforeEach(async () => {
      channels = [];
      medium = await open();
    });
    afterEach(async () => {
      for (const channel of channels) channel.close();
      await medium.close();
    });

    it("a published ref reaches the topic's other subscribers, in order", async () => {
      const [a, b] = [await connect(), await connect()];
      const heard = listen(b, "lobby");
      for (let n = 0; n < 100; n++) a.publish("lobby", refOf(n));
      await until(() => heard.length >= 100);
      const last = heard.slice(-64);
      expect(last).toEqual(Array.from({ length: 64 }, (_, i) => refOf(36 + i)));
    });

    it("all four kinds of topic carry refs, each its own", async () => {
      const [a, b] = [await connect(), await connect()];
      const topics = ["lobby", ALICE, BOB, refOf(7)];
      const heard = topics.map((topic) => listen(b, topic));
      topics.forEach((topic, i) => a.publish(topic, refOf(i)));
      await until(() => heard.every((refs) => refs.length > 0));
      expect(heard).toEqual(topics.map((_, i) => [refOf(i)]));
    });

    it("a late subscriber is told the last 64 refs", async () => {
      const [a, b] = [await connect(), await connect()];
      const first = listen(b, BOB);
      for (let n = 0; n < 70; n++) a.publish(BOB, refOf(n));
      await until(() => first.includes(refOf(69)));
      const late = await connect();
      const heard = new Set(listen(late, BOB));
      late.subscribe(BOB, (ref) => heard.add(ref));
      await until(() => heard.size >= 64);
      expect([...heard]).toEqual(Array.from({ length: 64 }, (_, i) => refOf(6 + i)));
    });

    it("a second listener of one channel is told what the first was told", async () => {
      const [a, b] = [await connect(), await connect()];
      const first = listen(b, BOB);
      a.publish(BOB, refOf(1));
      await until(() => first.length === 1);
      const second = listen(b, BOB);
      await until(() => second.length === 1);
      expect(second).toEqual([refOf(1)]);
    });

    it("a ref repeated is passed on once", async () => {
      const [a, b] = [await connect(), await connect()];
      const heard = listen(b, "lobby");
      for (let n = 0; n < 5; n++) a.publish("lobby", refOf(1));
      a.publish("lobby", refOf(2));
      await until(() => heard.includes(refOf(2)));
      expect(heard).toEqual([refOf(1), refOf(2)]);
    });

    it("after unsubscribing nothing comes", async () => {
      const [a, b] = [await connect(), await connect()];
      const heard: Ref[] = [];
      const stop = b.subscribe(ALICE, (ref) => heard.push(ref));
      a.publish(ALICE, refOf(1));
      await until(() => heard.length === 1);
      stop();
      stop();
      const marker = listen(b, BOB);
      a.publish(ALICE, refOf(2));
      a.publish(BOB, refOf(3));
      await until(() => marker.length === 1);
      expect(heard).toEqual([refOf(1)]);
    });

    it("publishing what is no ref, or to what is no topic, does nothing and doesn't throw", async () => {
      const [a, b] = [await connect(), await connect()];
      const heard = listen(b, "lobby");
      const bad: readonly string[] = ["", "x", "__proto__", `${ALICE}:01:${"0".repeat(66)}`];
      for (const text of bad) {
        a.publish("lobby", text as Ref);
        a.publish(text, refOf(1));
      }
      a.publish("lobby", refOf(2));
      await until(() => heard.length > 0);
      expect(heard).toEqual([refOf(2)]);
    });

    it("subscribing to what is no topic is a misuse that is named", async () => {
      const a = await connect();
      expect(() => a.subscribe("constructor", () => undefined)).toThrow(/constructor/);
    });

    it("a listener that throws stops no other", async () => {
      const [a, b] = [await connect(), await connect()];
      b.subscribe("lobby", () => {
        throw new Error("a listener's own mistake");
      });
      const heard = listen(b, "lobby");
      a.publish("lobby", refOf(1));
      await until(() => heard.length === 1);
      expect(heard).toEqual([refOf(1)]);
    });

    it("closing is final: the state says so and nothing comes any more", async () => {
      const [a, b] = [await connect(), await connect()];
      const states: string[] = [];
      b.onState((state) => states.push(state));
      const heard = listen(b, "lobby");
      b.close();
      b.close();
      b.publish("lobby", refOf(9));
      const marker = listen(await connect(), "lobby");
      a.publish("lobby", refOf(1));
      await until(() => marker.includes(refOf(1)));
      expect([heard, states, b.getState()]).toEqual([[], ["closed"], "closed"]);
      expect(marker).toEqual([refOf(1)]);
    });
  });
}
