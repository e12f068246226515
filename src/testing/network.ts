// A network of channels in memory that misbehaves by a seed and moves only when it is stepped: what is announced
// hangs in the air until a step delivers it, loses it, repeats it or makes up another; endpoints are cut off and come back.
// Counters tell that the hard cases occurred. The same seed and the same calls give the same run.

import type { Channel, ChannelState, Topic } from "../channel/channel.ts";
import { isTopic } from "../channel/frames.ts";
import { Listeners, StateCell, type ReportError } from "../channel/listeners.ts";
import { Retained } from "../channel/retained-refs.ts";
import { isRef, type Ref } from "../core/values.ts";
import { inventRef } from "./network-socket.ts";
import { seededRandom } from "./random.ts";

/** Chances of what a step does to the message that it picks; the rest of the time it is delivered. */
export interface NetworkFaults {
  readonly drop: number;
  readonly repeat: number;
  readonly invent: number;
  /** That the step first cuts an endpoint off, or heals one that is: rare, since a return is told much. */
  readonly cut: number;
  /** Picks the oldest message instead of any. */
  readonly keepOrder?: boolean;
}

export const ROUGH: NetworkFaults = { drop: 0.1, repeat: 0.1, invent: 0.05, cut: 0.01 };
export const SMOOTH: NetworkFaults = { drop: 0, repeat: 0, invent: 0, cut: 0 };

interface Message {
  readonly to: Endpoint;
  readonly topic: Topic;
  readonly ref: Ref;
  /** Number of the announcement, so that overtaking is noticed. */
  readonly order: number;
}

export class FaultyNetwork {
  readonly counts = { delivered: 0, dropped: 0, repeated: 0, reordered: 0, invented: 0, cuts: 0 };
  readonly #endpoints: readonly Endpoint[];
  readonly #random: () => number;
  readonly #faults: NetworkFaults;
  readonly #retained = new Retained(1024);
  #air: Message[] = [];
  #announced = 0;

  constructor(endpoints: number, seed: number, faults: NetworkFaults = ROUGH, report?: ReportError) {
    this.#random = seededRandom(seed);
    this.#faults = faults;
    const wire: Wire = {
      announce: (topic, ref) => this.#announce(topic, ref),
      welcome: (to, topic) => this.#welcome(to, topic),
    };
    this.#endpoints = Array.from({ length: endpoints }, () => new Endpoint(wire, report));
  }

  /** The channel of endpoint i. */
  channel(i: number): Channel {
    return this.#endpoint(i);
  }

  /** Messages in the air. */
  get waiting(): number {
    return this.#air.length;
  }

  cut(i: number): void {
    this.counts.cuts++;
    this.#endpoint(i).goOffline();
  }

  /** Brings an endpoint back: what it announced meanwhile leaves, and it is told what is retained. */
  heal(i: number): void {
    this.#endpoint(i).comeBack();
  }

  /** One thing happens. False if nothing was in the air. */
  step(): boolean {
    return this.#step(this.#random() < this.#faults.cut);
  }

  #step(cut: boolean): boolean {
    if (cut) this.#toggle(this.#pick(this.#endpoints.length));
    if (this.#air.length === 0) return false;
    const [message] = this.#air.splice(this.#faults.keepOrder === true ? 0 : this.#pick(this.#air.length), 1);
    if (message === undefined) return false;
    const fate = this.#random();
    const { drop, repeat, invent } = this.#faults;
    if (fate < drop) this.counts.dropped++;
    else {
      if (fate < drop + repeat) {
        this.counts.repeated++;
        this.#air.push(message);
      } else if (fate < drop + repeat + invent) {
        this.counts.invented++;
        message.to.receive(message.topic, inventRef(this.#random));
      }
      this.#deliver(message);
    }
    return true;
  }

  /** Steps without cutting until nothing is in the air, or `limit` steps were made; the number of steps. */
  run(limit = 100_000): number {
    let steps = 0;
    while (steps < limit && this.#air.length > 0) {
      this.#step(false);
      steps++;
    }
    return steps;
  }

  /** Heals everyone and delivers all that is in the air, in random order and without a fault. */
  settle(): void {
    for (const endpoint of this.#endpoints) endpoint.comeBack();
    while (this.#air.length > 0)
      for (const message of this.#air.splice(this.#pick(this.#air.length), 1)) this.#deliver(message);
  }

  #endpoint(i: number): Endpoint {
    const endpoint = this.#endpoints[i];
    if (endpoint === undefined) throw new RangeError(`no endpoint ${i} of ${this.#endpoints.length}`);
    return endpoint;
  }

  #toggle(i: number): void {
    if (this.#endpoint(i).getState() === "offline") this.heal(i);
    else this.cut(i);
  }

  #announce(topic: Topic, ref: Ref): void {
    this.#retained.add(topic, ref);
    const order = this.#announced++;
    for (const to of this.#endpoints) this.#air.push({ to, topic, ref, order });
  }

  #welcome(to: Endpoint, topic: Topic): void {
    for (const ref of this.#retained.of(topic)) this.#air.push({ to, topic, ref, order: this.#announced++ });
  }

  #deliver(message: Message): void {
    if (message.to.getState() !== "live") return void this.counts.dropped++;
    if (message.to.overtaken(message.order)) this.counts.reordered++;
    this.counts.delivered++;
    message.to.receive(message.topic, message.ref);
  }

  #pick(length: number): number {
    return Math.floor(this.#random() * length);
  }
}

interface Wire {
  announce(topic: Topic, ref: Ref): void;
  welcome(to: Endpoint, topic: Topic): void;
}

class Endpoint implements Channel {
  readonly #wire: Wire;
  readonly #listeners: Listeners;
  readonly #state = new StateCell("live");
  #latest = -1;
  readonly #outbox: { readonly topic: Topic; readonly ref: Ref }[] = [];

  constructor(wire: Wire, report?: ReportError) {
    this.#wire = wire;
    this.#listeners = new Listeners(report);
  }

  subscribe(topic: Topic, listener: (ref: Ref) => void): () => void {
    const welcome = (): void => {
      if (this.getState() === "live") this.#wire.welcome(this, topic);
    };
    return this.#listeners.add(topic, listener, welcome, () => undefined);
  }

  publish(topic: Topic, ref: Ref): void {
    if (!isTopic(topic) || !isRef(ref)) return;
    if (this.getState() === "live") this.#wire.announce(topic, ref);
    else if (this.getState() === "offline") this.#outbox.push({ topic, ref });
  }

  receive(topic: Topic, ref: Ref): void {
    if (this.getState() === "live") this.#listeners.deliver(topic, ref);
  }

  /** Whether a later message has arrived before this one. */
  overtaken(order: number): boolean {
    const late = order < this.#latest;
    this.#latest = Math.max(this.#latest, order);
    return late;
  }

  goOffline(): void {
    this.#state.set("offline");
  }

  comeBack(): void {
    if (this.getState() !== "offline") return;
    this.#state.set("live");
    for (const { topic, ref } of this.#outbox.splice(0)) this.#wire.announce(topic, ref);
    for (const topic of this.#listeners.topics) this.#wire.welcome(this, topic);
  }

  getState(): ChannelState {
    return this.#state.get();
  }

  onState(listener: (state: ChannelState) => void): () => void {
    return this.#state.listen(listener);
  }

  close(): void {
    this.#listeners.clear();
    this.#state.set("closed");
  }
}
