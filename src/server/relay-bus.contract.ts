// What every bus between relays must do, over real relays and sockets.

import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Ref } from "../core/values.ts";
import { RawClient, startRelay, type Harness } from "../testing/relay-harness.ts";
import type { RelayBus } from "./relay-bus.ts";

export interface BusFixture {
  /** A node's end, connected. */
  readonly join: () => Promise<RelayBus>;
  /** Takes the bus away from all, and gives it back. */
  readonly cut: () => Promise<void>;
  readonly restore: () => Promise<void>;
}

const wallet = `0x${"a1".repeat(20)}`;
const ref = (seq: number): Ref => `${wallet}:${seq}:0x${"5e".repeat(32)}` as Ref;
const LONG = { timeout: 10_000, interval: 5 };

export function busContract(name: string, open: () => Promise<BusFixture>): void {
  describe(`bus: ${name}`, () => {
    let fixture: BusFixture;
    let nodes: { readonly relay: Harness; readonly bus: RelayBus }[];
    let clients: RawClient[];
    beforeEach(async () => {
      fixture = await open();
      nodes = [];
      clients = [];
      for (let i = 0; i < 3; i++) {
        const bus = await fixture.join();
        nodes.push({ relay: await startRelay({ bus }), bus });
      }
    });
    afterEach(async () => {
      for (const client of clients) client.socket.terminate();
      for (const { relay, bus } of nodes) {
        await relay.close();
        await bus.close();
      }
    });

    const clientAt = async (node: number): Promise<RawClient> => {
      const client = await new RawClient(nodes[node]!.relay.url).opened();
      clients.push(client);
      return client;
    };
    const subscribed = async (node: number, topic = "lobby"): Promise<RawClient> => {
      const client = await clientAt(node);
      client.send({ op: "sub", topics: [topic] });
      client.send({ op: "ping" }); // answered after the subscription
      await once(client.socket, "message");
      return client;
    };
    const refsOf = (client: RawClient): number[] =>
      client.texts
        .map((text) => JSON.parse(text) as { op: string; ref: string })
        .filter(({ op }) => op === "ref")
        .map((frame) => Number(frame.ref.split(":")[1]));
    const publish = (client: RawClient, seq: number, topic = "lobby") =>
      client.send({ op: "pub", topic, ref: ref(seq) });
    /** All nodes hear each other: the bus passes interest on in its own time. */
    const joined = async (publisher: RawClient, listeners: readonly RawClient[]) => {
      let probe = 1_000;
      await vi.waitFor(() => {
        publish(publisher, probe++);
        for (const client of listeners) expect(refsOf(client).length).toBeGreaterThan(0);
      }, LONG);
    };

    test("a ref published at one node reaches the subscribers of all, once", async () => {
      const listeners = [await subscribed(0), await subscribed(1), await subscribed(2), await subscribed(2)];
      const publisher = await clientAt(0);
      await joined(publisher, listeners);
      for (let seq = 0; seq < 20; seq++) publish(publisher, seq);
      const numbered = (client: RawClient) => refsOf(client).filter((seq) => seq < 1_000);
      await vi.waitFor(() => {
        for (const client of listeners) expect(numbered(client)).toContain(19);
      }, LONG);
      for (const client of listeners) expect(numbered(client)).toEqual([...Array(20).keys()]);
    });

    test("a newcomer at another node gets the refs that were kept before it came", async () => {
      const publisher = await clientAt(0);
      for (let seq = 0; seq < 3; seq++) publish(publisher, seq);
      await vi.waitFor(() => expect(nodes[0]!.relay.relay.stats().published).toBe(3), LONG);
      const newcomer = await subscribed(2);
      await vi.waitFor(() => expect(refsOf(newcomer)).toEqual([0, 1, 2]), LONG);
      const second = await subscribed(2);
      await vi.waitFor(() => expect(refsOf(second)).toEqual([0, 1, 2]), LONG);
    });

    test("without the bus each node serves its own; with it again, what was missed comes", async () => {
      const [here, there] = [await subscribed(0), await subscribed(1)];
      const publisher = await clientAt(0);
      await joined(publisher, [here, there]);
      await fixture.cut();
      await vi.waitFor(
        () => expect(nodes.map(({ bus }) => bus.stats().isUp)).toEqual([false, false, false]),
        LONG,
      );
      publish(publisher, 1);
      await vi.waitFor(() => expect(refsOf(here)).toContain(1), LONG);
      expect(refsOf(there)).not.toContain(1);
      await fixture.restore();
      await vi.waitFor(() => expect(refsOf(there)).toContain(1), LONG);
      publish(publisher, 2);
      await vi.waitFor(() => expect(refsOf(there)).toContain(2), LONG);
    });

    test("nothing comes for topics that a node's last subscriber has left", async () => {
      const listener = await subscribed(1);
      const publisher = await clientAt(0);
      await joined(publisher, [listener]);
      listener.send({ op: "unsub", topics: ["lobby"] });
      listener.send({ op: "sub", topics: [wallet] });
      await vi.waitFor(() => {
        publish(publisher, 1, wallet);
        expect(refsOf(listener)).toContain(1);
      }, LONG);
      publish(publisher, 8, wallet); // behind all the others
      await vi.waitFor(() => expect(refsOf(listener)).toContain(8), LONG);
      const before = nodes[1]!.bus.stats().received;
      for (let seq = 2; seq < 5; seq++) publish(publisher, seq);
      publish(publisher, 9, wallet);
      await vi.waitFor(() => expect(refsOf(listener)).toContain(9), LONG);
      expect(nodes[1]!.bus.stats().received - before).toBe(1);
    });
  });
}
