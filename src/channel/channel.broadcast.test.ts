import { describe, expect, it } from "vitest";
import { TabChannel, type BroadcastLike } from "./channel.broadcast.ts";
import { channelContract, refOf, until } from "./channel.contract.ts";

const quiet = (): void => undefined;

// Node's own BroadcastChannel is the same interface as the browser's; one at a time is alive here.
channelContract("tabs of one browser", async () => ({
  connect: () => new TabChannel(NodeBus, quiet),
  close: async () => undefined,
}));

class NodeBus implements BroadcastLike {
  readonly #bus: BroadcastChannel;
  constructor(name: string) {
    this.#bus = new BroadcastChannel(name);
  }
  postMessage(message: unknown): void {
    this.#bus.postMessage(message);
  }
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void {
    this.#bus.addEventListener(type, listener);
  }
  close(): void {
    this.#bus.close();
  }
}

describe("8 tabs of one browser", () => {
  it("whatever another page posts on the bus is ignored unless it is a frame", async () => {
    const bus = new BroadcastChannel("coop-channel-1");
    const channel = new TabChannel(NodeBus, quiet);
    const heard: string[] = [];
    channel.subscribe("lobby", (ref) => heard.push(ref));
    for (const junk of ["]", "null", "[]", "42", "{}", null, 42, { op: "pub" }, new Uint8Array(3)])
      bus.postMessage(junk);
    bus.postMessage(`{"op":"pub","topic":"lobby","ref":"${refOf(1)}"}`);
    await until(() => heard.length > 0);
    expect(heard).toEqual([refOf(1)]);
    bus.close();
    channel.close();
  });

  it("a bus that fails to post makes the channel offline, and nothing throws", () => {
    class Broken implements BroadcastLike {
      postMessage(): void {
        throw new Error("the bus is closed");
      }
      addEventListener(): void {}
      close(): void {}
    }
    const channel = new TabChannel(Broken);
    channel.publish("lobby", refOf(1));
    expect(channel.getState()).toBe("offline");
    channel.close();
  });
});
