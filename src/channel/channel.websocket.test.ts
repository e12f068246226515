import { describe, expect, it } from "vitest";
import { ManualClock } from "../testing/network-clock.ts";
import { FaultyRelay } from "../testing/network-socket.ts";
import { ALICE, BOB, refOf } from "./channel.contract.ts";
import { encodePub, encodeTopics } from "./frames.ts";
import { RELAY_TIMING, RelayChannel } from "./channel.websocket.ts";

const { heartbeatMs, answerMs, capMs, baseMs, stableMs } = RELAY_TIMING;
const SUB_LOBBY = encodeTopics("sub", ["lobby"])[0]!;

class World {
  readonly clock = new ManualClock(1_000_000);
  readonly relay = new FaultyRelay();
  readonly states: string[] = [];
  readonly channel: RelayChannel;

  constructor(random: () => number = () => 0.5, WebSocket = this.relay.WebSocket) {
    this.channel = new RelayChannel({ url: "ws://relay/", WebSocket, clock: this.clock, random });
    this.channel.onState((state) => this.states.push(state));
  }

  listen(topic: string): string[] {
    const heard: string[] = [];
    this.channel.subscribe(topic, (ref) => heard.push(ref));
    return heard;
  }

  /** Lets the wait for the next attempt pass, and the relay take the connection. */
  reconnect(): void {
    this.clock.advance(this.clock.next ?? 0);
    this.relay.acceptAll();
  }
}

describe("8 relay channel: liveness", () => {
  it("is live only once the relay has answered, not when the connection opens", () => {
    const world = new World();
    expect(world.channel.getState()).toBe("connecting");
    world.relay.faults.stalled = true;
    world.relay.acceptAll();
    expect(world.channel.getState()).toBe("connecting");
    world.clock.advance(answerMs);
    expect(world.channel.getState()).toBe("offline");
    world.relay.faults.stalled = false;
    world.reconnect();
    expect(world.channel.getState()).toBe("live");
  });

  it("an attempt that never opens is given up", () => {
    const world = new World();
    world.clock.advance(answerMs);
    expect(world.channel.getState()).toBe("offline");
    expect(world.relay.last?.readyState).toBe(3);
  });

  it("a half-open connection is noticed within a heartbeat and an answer's time, and replaced", () => {
    const world = new World();
    const heard = world.listen("lobby");
    world.relay.acceptAll();
    world.relay.faults.stalled = true;
    world.clock.advance(heartbeatMs + answerMs - 1);
    expect(world.channel.getState()).toBe("live");
    world.clock.advance(1);
    expect(world.channel.getState()).toBe("offline");
    world.relay.faults.stalled = false;
    world.reconnect();
    expect(world.relay.sockets).toHaveLength(2);
    world.relay.announce("lobby", refOf(1));
    expect([heard, world.channel.getState()]).toEqual([[refOf(1)], "live"]);
  });

  it("an idle healthy connection stays live by its probes, for hours", () => {
    const world = new World();
    world.relay.acceptAll();
    world.clock.advance(3 * 3_600_000);
    expect(world.states).toEqual(["live"]);
    expect(world.relay.sockets).toHaveLength(1);
  });

  it("refs are signs of life: a busy connection is not probed", () => {
    const world = new World();
    world.listen("lobby");
    world.relay.acceptAll();
    const before = world.relay.last!.sent.length;
    for (let n = 0; n < 20; n++) {
      world.clock.advance(heartbeatMs / 2);
      world.relay.announce("lobby", refOf(n));
    }
    expect(world.relay.last!.sent.length).toBe(before);
  });

  it("after sleep the badge doesn't say live before the relay has answered", () => {
    const world = new World();
    world.relay.acceptAll();
    world.relay.faults.stalled = true;
    world.clock.sleep(8 * 3_600_000);
    expect(world.channel.getState()).toBe("connecting");
    world.clock.advance(answerMs);
    expect(world.channel.getState()).toBe("offline");
  });

  it("after sleep a connection that still answers is live again, without a new one", () => {
    const world = new World();
    world.relay.acceptAll();
    world.clock.sleep(8 * 3_600_000);
    expect(world.states).toEqual(["live", "connecting", "live"]);
    expect(world.relay.sockets).toHaveLength(1);
  });

  it("waking asks for a sign of life at once, or cuts the wait to a second", () => {
    const world = new World();
    world.relay.acceptAll();
    world.relay.faults.stalled = true;
    world.channel.wake();
    world.clock.advance(answerMs);
    expect(world.channel.getState()).toBe("offline");
    for (let i = 0; i < 5; i++) world.clock.advance(capMs + answerMs);
    world.relay.faults.stalled = false;
    while (world.channel.getState() !== "offline") world.clock.advance(world.clock.next!);
    world.channel.wake();
    expect(world.clock.next).toBeLessThanOrEqual(1_000);
    world.reconnect();
    expect(world.channel.getState()).toBe("live");
  });
});

describe("8 relay channel: reconnecting", () => {
  const delays = (random: () => number, count: number): number[] => {
    const world = new World(random);
    return Array.from({ length: count }, () => {
      world.relay.last!.end();
      const wait = world.clock.next!;
      world.clock.advance(wait);
      return wait;
    });
  };

  it("waits grow to a cap, each drawn from the upper half of its range", () => {
    const [least, most] = [delays(() => 0, 10), delays(() => 0.999_999, 10)];
    expect(least.slice(0, 4)).toEqual([1, 2, 4, 8].map((n) => (n * baseMs) / 2));
    expect(least.at(-1)).toBe(capMs / 2);
    expect(Math.max(...most)).toBeLessThanOrEqual(capMs);
    expect(most.every((wait, i) => wait > least[i]! * 1.99)).toBe(true);
  });

  it("a hundred clients cut off at one moment come back at a hundred moments", () => {
    let seed = 1;
    const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const waits = Array.from({ length: 100 }, () => delays(random, 1)[0]!);
    expect(new Set(waits.map(Math.round)).size).toBeGreaterThan(80);
  });

  it("the growth starts anew only after a connection was stable, not after one that flaps", () => {
    const world = new World(() => 0);
    const flap = (lived: number): number => {
      world.relay.acceptAll();
      world.clock.advance(lived);
      world.relay.kill();
      const wait = world.clock.next!;
      world.clock.advance(wait);
      return wait;
    };
    expect([flap(0), flap(0), flap(0)]).toEqual([500, 1000, 2000]);
    expect(flap(stableMs - heartbeatMs)).toBe(4000);
    expect(flap(stableMs + heartbeatMs)).toBe(500);
  });

  it("a constructor that refuses is a failed attempt, not an exception", () => {
    const Refusing = class {
      constructor() {
        throw new Error("a secure page opens no insecure socket");
      }
    };
    const world = new World(() => 0, Refusing as unknown as World["relay"]["WebSocket"]);
    expect(world.channel.getState()).toBe("offline");
    expect(world.clock.waiting).toBe(1);
  });

  it("all topics are subscribed again, in frames within the limit, and missed refs arrive", () => {
    const world = new World();
    const topics = Array.from({ length: 300 }, (_, n) => refOf(n, BOB));
    const heard = topics.map((topic) => world.listen(topic));
    world.relay.acceptAll();
    world.relay.kill();
    world.relay.announce(topics[299]!, refOf(5));
    world.reconnect();
    expect([...world.relay.last!.topics]).toEqual(topics);
    expect(heard[299]).toEqual([refOf(5)]);
    world.relay.kill();
    world.reconnect();
    expect(heard[299]).toEqual([refOf(5)]); // told again by the relay, not by the channel
  });

  it("events of a connection given up say nothing of its successor", () => {
    const world = new World();
    const first = world.relay.last!;
    world.clock.advance(answerMs);
    world.reconnect();
    first.readyState = 1;
    first.deliver("{}");
    first.end();
    expect(world.channel.getState()).toBe("live");
  });

  it("closing ends the connection and every timer", () => {
    const world = new World();
    world.relay.acceptAll();
    world.channel.close();
    expect([world.clock.waiting, world.relay.last?.readyState, world.states.at(-1)]).toEqual([
      0,
      3,
      "closed",
    ]);
    world.channel.wake();
    world.channel.publish("lobby", refOf(1));
    expect(world.clock.waiting).toBe(0);
  });
});

describe("8 relay channel: announcements", () => {
  const published = (world: World): string[] =>
    world.relay.last!.sent.filter((text) => text.includes('"pub"'));

  it("those made offline are sent once it opens, the last 256 of them", () => {
    const world = new World();
    for (let n = 0; n < 300; n++) world.channel.publish("lobby", refOf(n));
    world.relay.acceptAll();
    expect(published(world)).toHaveLength(256);
    expect(published(world)[0]).toBe(encodePub("lobby", refOf(44)));
  });

  it("those that a half-open connection swallowed are sent again; those confirmed are not", () => {
    const world = new World();
    world.relay.acceptAll();
    world.channel.publish(ALICE, refOf(1));
    world.clock.advance(heartbeatMs); // a probe, answered: confirms the first
    world.relay.faults.stalled = true;
    world.channel.publish(ALICE, refOf(2));
    world.clock.advance(heartbeatMs + answerMs);
    world.relay.faults.stalled = false;
    world.reconnect();
    expect(published(world)).toEqual([encodePub(ALICE, refOf(2))]);
  });
});

describe("8 relay channel: what arrives", () => {
  it.each(["]", "null", "[]", '"x"', "42", "{}", '{"refs":null}', '{"op":"ref","topic":"lob', "", "\ud800"])(
    "the bad frame %j changes nothing, and the next good one arrives",
    (text) => {
      const world = new World();
      const heard = world.listen("lobby");
      world.relay.acceptAll();
      world.relay.last!.deliver(text);
      world.relay.last!.deliver(new ArrayBuffer(8));
      world.relay.last!.deliver(undefined);
      world.relay.announce("lobby", refOf(1));
      expect([heard, world.channel.getState()]).toEqual([[refOf(1)], "live"]);
    },
  );

  it("refs on topics nobody asked for are dropped", () => {
    const world = new World();
    const heard = world.listen("lobby");
    world.relay.acceptAll();
    world.relay.last!.topics.add(ALICE);
    world.relay.announce(ALICE, refOf(1));
    expect(heard).toEqual([]);
  });

  it("1,000 invented refs, told three times each, make 1,000 calls and no frame", () => {
    const world = new World();
    const heard = world.listen("lobby");
    world.relay.acceptAll();
    const sent = world.relay.last!.sent.length;
    for (let n = 0; n < 1000; n++) for (let k = 0; k < 3; k++) world.relay.announce("lobby", refOf(n));
    expect(heard).toHaveLength(1000);
    expect(world.relay.last!.sent).toHaveLength(sent);
  });

  it("topics beyond the relay's 1,024 wait until another is given up", () => {
    const world = new World();
    world.relay.acceptAll();
    const stops = Array.from({ length: 1025 }, (_, n) =>
      world.channel.subscribe(refOf(n, BOB), () => undefined),
    );
    expect(world.relay.last!.topics.size).toBe(1024);
    stops[0]!();
    expect(world.relay.last!.topics.has(refOf(1024, BOB))).toBe(true);
    expect(world.relay.last!.topics.size).toBe(1024);
  });

  it("a topic is subscribed to once however many listen, and given up with the last", () => {
    const world = new World();
    world.relay.acceptAll();
    const stops = [1, 2, 3].map(() => world.channel.subscribe("lobby", () => undefined));
    expect(world.relay.last!.sent.filter((text) => text === SUB_LOBBY)).toHaveLength(1);
    stops.forEach((stop) => stop());
    expect(world.relay.last!.topics.size).toBe(0);
  });
});

describe("a relay that finds a frame too long", () => {
  it("is not sent that frame again, and gets the others", () => {
    const world = new World();
    world.relay.acceptAll();
    world.relay.faults.stalled = true;
    const [long, short] = [refOf(1), refOf(2)];
    world.channel.publish(`${ALICE}:0:0x${"ab".repeat(32)}`, long);
    world.channel.publish("lobby", short);
    world.relay.last!.end(1009);
    world.reconnect();
    const sent = world.relay.last!.sent.filter((frame) => frame.includes('"pub"'));
    expect(sent).toEqual([encodePub("lobby", short)]);
  });
});
