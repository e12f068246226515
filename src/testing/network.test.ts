import { describe, expect, it } from "vitest";
import { channelContract, refOf } from "../channel/channel.contract.ts";
import { RelayChannel } from "../channel/channel.websocket.ts";
import { ManualClock } from "./network-clock.ts";
import { FaultyRelay } from "./network-socket.ts";
import { FaultyNetwork, SMOOTH } from "./network.ts";
import { seededRandom } from "./random.ts";

// Without faults, and stepped in every turn of the event loop, the double is a channel like any other.
channelContract("network double, stepped, without faults", async () => {
  const network = new FaultyNetwork(8, 1, { ...SMOOTH, keepOrder: true }, () => undefined);
  let next = 0;
  let open = true;
  const turn = (): void => {
    network.run();
    if (open) setImmediate(turn);
  };
  turn();
  return {
    connect: () => network.channel(next++),
    close: async () => {
      open = false;
    },
  };
});

/** A run of 5 endpoints that announce 200 refs over a rough network. */
function roughRun(seed: number): { readonly heard: readonly string[][]; readonly network: FaultyNetwork } {
  const network = new FaultyNetwork(5, seed);
  const heard = Array.from({ length: 5 }, (_, i) => {
    const refs: string[] = [];
    network.channel(i).subscribe("lobby", (ref) => refs.push(ref));
    return refs;
  });
  for (let n = 0; n < 200; n++) {
    network.channel(n % 5).publish("lobby", refOf(n));
    for (let k = 0; k < 4; k++) network.step();
  }
  network.run();
  return { heard, network };
}

describe("network double", () => {
  it("does every kind of harm, and the same for the same seed", () => {
    const [one, same, other] = [roughRun(7), roughRun(7), roughRun(8)];
    for (const [kind, count] of Object.entries(one.network.counts)) expect(count, kind).toBeGreaterThan(0);
    expect(one.heard).toEqual(same.heard);
    expect(one.heard).not.toEqual(other.heard);
  });

  it("nothing moves unless stepped", () => {
    const network = new FaultyNetwork(2, 1, SMOOTH);
    const heard: string[] = [];
    network.channel(1).subscribe("lobby", (ref) => heard.push(ref));
    network.channel(0).publish("lobby", refOf(1));
    expect([heard.length, network.waiting]).toEqual([0, 2]);
    network.run();
    expect(heard).toEqual([refOf(1)]);
  });

  it("an endpoint cut off hears nothing, and is told on its return what is retained", () => {
    const network = new FaultyNetwork(2, 1, SMOOTH);
    const heard: string[] = [];
    network.channel(1).subscribe("lobby", (ref) => heard.push(ref));
    network.cut(1);
    expect(network.channel(1).getState()).toBe("offline");
    network.channel(0).publish("lobby", refOf(1));
    network.channel(1).publish("lobby", refOf(2));
    network.run();
    expect(heard).toEqual([]);
    network.settle();
    expect(new Set(heard)).toEqual(new Set([refOf(1), refOf(2)]));
  });
});

describe("8 relay channel over a faulty relay", () => {
  it("under loss, repetition and reordering a ref is passed on once, on its topic", () => {
    const clock = new ManualClock();
    const random = seededRandom(3);
    const relay = new FaultyRelay(random);
    const channel = new RelayChannel({ url: "ws://relay/", WebSocket: relay.WebSocket, clock, random });
    const heard: string[] = [];
    channel.subscribe("lobby", (ref) => heard.push(ref));
    Object.assign(relay.faults, { drop: 0.2, repeat: 0.3, invent: 0.2, hold: true });
    for (let n = 0; n < 200; n++) {
      relay.acceptAll();
      relay.announce("lobby", refOf(n));
      if (n % 10 === 9) relay.release();
      if (n % 50 === 49) relay.kill();
      clock.advance(clock.next ?? 0);
    }
    relay.release();
    expect(new Set(heard).size).toBe(heard.length);
    expect(heard.length).toBeGreaterThan(150);
    for (const count of Object.values({ ...relay.counts, delivered: 1 })) expect(count).toBeGreaterThan(0);
  });
});
