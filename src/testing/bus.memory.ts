// A bus between relays of one process, which can be cut and joined again.

import type { Topic } from "../channel/channel.ts";
import type { BusNode, BusRef, BusStats, RelayBus } from "../server/relay-bus.ts";

export class MemoryBusNetwork {
  readonly members = new Set<MemoryBus>();
  isUp = true;

  join(): MemoryBus {
    const bus = new MemoryBus(this);
    this.members.add(bus);
    return bus;
  }

  cut(): void {
    this.isUp = false;
  }

  restore(): void {
    this.isUp = true;
    for (const member of this.members) member.askAgain();
  }
}

class MemoryBus implements RelayBus {
  readonly #network: MemoryBusNetwork;
  readonly #wanted = new Set<Topic>();
  readonly #counts = { sent: 0, received: 0, malformed: 0 };
  #node: BusNode | undefined;

  constructor(network: MemoryBusNetwork) {
    this.#network = network;
  }

  attach(node: BusNode): void {
    this.#node = node;
  }

  publish(ref: BusRef): void {
    if (!this.#network.isUp) return;
    this.#counts.sent++;
    for (const other of this.#network.members) if (other !== this) other.#hear(ref);
  }

  setInterest(topic: Topic, wanted: boolean): void {
    if (!wanted) return void this.#wanted.delete(topic);
    this.#wanted.add(topic);
    this.#ask(topic);
  }

  askAgain(): void {
    for (const topic of this.#wanted) this.#ask(topic);
  }

  stats(): BusStats {
    return { isUp: this.#network.isUp, ...this.#counts };
  }

  async close(): Promise<void> {
    this.#network.members.delete(this);
  }

  #ask(topic: Topic): void {
    if (!this.#network.isUp) return;
    for (const other of this.#network.members)
      if (other !== this) for (const ref of other.#node?.keptOf(topic) ?? []) this.#hear(ref);
  }

  #hear(ref: BusRef): void {
    // A bus takes a turn, and more, to deliver.
    setImmediate(() => {
      if (!this.#wanted.has(ref.topic)) return;
      this.#counts.received++;
      this.#node?.hear(ref);
    });
  }
}
