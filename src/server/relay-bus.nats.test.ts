// The bus over a real NATS server.

import { connect } from "@nats-io/transport-node";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startNats, type NatsServer } from "../testing/nats-server.ts";
import { busContract } from "./relay-bus.contract.ts";
import { NatsBus } from "./relay-bus.nats.ts";
import type { BusRef } from "./relay-bus.ts";
import { systemClock } from "./server.ts";

let nats: NatsServer;
beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.kill());

async function join(): Promise<NatsBus> {
  const bus = new NatsBus({ url: nats.url, clock: systemClock, note: () => undefined });
  await vi.waitFor(() => expect(bus.stats().isUp).toBe(true), { timeout: 10_000, interval: 5 });
  return bus;
}

busContract("NATS", async () => ({
  join,
  cut: () => nats.kill(),
  restore: () => nats.start(),
}));

test("what comes over the bus and is no ref is counted and dropped", async () => {
  const bus = await join();
  const heard: BusRef[] = [];
  bus.attach({ hear: (ref) => void heard.push(ref), keptOf: () => [] });
  bus.setInterest("lobby", true);
  const other = await connect({ servers: nats.url });
  const good = `${"ab".repeat(8)} 0x${"a1".repeat(20)}:1:0x${"5e".repeat(32)}`;
  await vi.waitFor(() => {
    other.publish("coop.refs.lobby", good);
    expect(heard.length).toBeGreaterThan(0);
  });
  for (const text of [
    "",
    "x",
    `${good} more`,
    "\u0000\uffff",
    `${"ab".repeat(8)} 0xnoref`,
    "x".repeat(9_000),
  ])
    other.publish("coop.refs.lobby", text);
  for (const text of ["{", "7", "x".repeat(100_000)]) other.publish("coop.kept", text);
  await other.flush();
  await vi.waitFor(() => expect(bus.stats().malformed).toBe(9));
  expect(new Set(heard.map(({ topic }) => topic))).toEqual(new Set(["lobby"]));
  await other.close();
  await bus.close();
});

test.each(["nats://", "http://127.0.0.1:4222", "host:4222", "nats://a:1,b"])("%s is no bus", (url) => {
  expect(() => new NatsBus({ url, clock: systemClock, note: () => undefined })).toThrow("nats://host:4222");
});
