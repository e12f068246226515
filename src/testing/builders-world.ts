// A small world for peers: one Hub and one broker in memory, and a clock that stands until it is moved.

import { MemoryBroker } from "../channel/channel.memory.ts";
import type { Hub } from "../hub/hub.ts";
import { MemoryHub } from "../hub/hub.memory.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { localLocks } from "../platform/locks.ts";
import { memoryStore } from "../platform/key-value-store.memory.ts";
import type { Store } from "../platform/key-value-store.ts";
import { busyVerifier } from "./busy-verifier.ts";
import { ManualClock } from "./network-clock.ts";
import { seededRandom } from "./random.ts";

const verifier = busyVerifier();

/** Keeps the tests' store from being told apart from a disk. */
export function diskStore(): Store {
  return { ...memoryStore(), durability: "disk" };
}

export function seededBytes(seed: number): (length: number) => Uint8Array {
  const random = seededRandom(seed);
  return (length) => Uint8Array.from({ length }, () => Math.floor(random() * 256));
}

export class World {
  hub: Hub = new MemoryHub();
  readonly broker = new MemoryBroker();
  readonly clock = new ManualClock();
  #seed = 1;

  env(parts: Partial<PeerEnvironment> = {}): PeerEnvironment {
    return {
      hub: this.hub,
      channel: this.broker.connect(),
      verifier,
      store: diskStore(),
      locks: localLocks(),
      clock: this.clock,
      random: seededBytes(this.#seed++),
      ...parts,
    };
  }

  /** Lets everything happen that needs no waiting. */
  async settle(): Promise<void> {
    for (let turns = 0; turns < 60; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (verifier.busy > 0) turns = 0;
    }
  }

  /** Lets time pass until the condition holds. */
  async until(what: () => boolean, ms = 120_000): Promise<void> {
    await this.settle();
    for (let left = ms; !what();) {
      const step = this.clock.next;
      if (step === undefined || step > left) throw new Error("it never came to that");
      left -= step;
      this.clock.advance(step);
      await this.settle();
    }
  }
}
