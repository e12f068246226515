import { expect, test } from "vitest";
import { channelContract, refOf } from "./channel.contract.ts";
import { LazyChannel } from "./channel.lazy.ts";
import { MemoryBroker } from "./channel.memory.ts";

channelContract("lazy, opened by its first use", async () => {
  const broker = new MemoryBroker(() => undefined);
  const connect = () => {
    const channel = new LazyChannel(() => broker.connect());
    channel.subscribe("lobby", () => undefined)();
    return channel;
  };
  return { connect, close: async () => undefined };
});

/** A lazy channel that counts how often it was opened. */
function counted() {
  const broker = new MemoryBroker(() => undefined);
  let opened = 0;
  const channel = new LazyChannel(() => {
    opened++;
    return broker.connect();
  });
  return { broker, channel, opened: () => opened };
}

test("looking at its state opens nothing; listening and announcing open it, once", () => {
  const { channel, opened } = counted();
  const states: string[] = [];
  channel.onState((state) => states.push(state));
  expect([channel.getState(), opened()]).toEqual(["offline", 0]);
  channel.subscribe("lobby", () => undefined);
  channel.publish("lobby", refOf(1));
  channel.subscribe(refOf(1), () => undefined);
  expect([channel.getState(), opened(), states]).toEqual(["live", 1, ["live"]]);
});

test("closed before it was used, it is never opened", () => {
  const { channel, opened } = counted();
  channel.close();
  channel.publish("lobby", refOf(1));
  channel.subscribe("lobby", () => undefined)();
  expect([channel.getState(), opened()]).toEqual(["closed", 0]);
});
