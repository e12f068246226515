// The bus over NATS (its official client): a subject for each topic, and one on which nodes ask each other what they keep.
// While NATS is away the node goes on by itself and nothing is queued: what is missed is a hint, and clients poll.

import {
  connect,
  createInbox,
  type Msg,
  type NatsConnection,
  type Subscription,
} from "@nats-io/transport-node";
import { isTopic, RETAINED_REFS } from "../channel/frames.ts";
import type { Topic } from "../channel/channel.ts";
import { canonicalize, parseJson, type Json } from "../core/canonical.ts";
import { isRef } from "../core/values.ts";
import type { Clock } from "../platform/clock.ts";
import type { BusNode, BusRef, BusStats, RelayBus } from "./relay-bus.ts";
import { Buckets } from "./request-limits.ts";

const REFS = "coop.refs.";
const ASK = "coop.kept";
/** Topics of one question, and how many a second this node asks for: a flood of subscriptions is not passed on. */
const ASKED_AT_ONCE = 64;
const ASKS_A_SECOND = 2_000;
const ASKS_BURST = 20_000;
const RECONNECT_MS = 250;

export interface NatsOptions {
  /** nats://user:password@host:4222, or several with commas. */
  readonly url: string;
  readonly clock: Clock;
  readonly note: (message: string) => void;
}

export class NatsBus implements RelayBus {
  readonly #options: NatsOptions;
  readonly #subscriptions = new Map<Topic, Subscription>();
  readonly #wanted = new Set<Topic>();
  /** Where other nodes answer this one. */
  readonly #inbox = createInbox();
  readonly #asks = new Buckets(ASKS_A_SECOND, ASKS_BURST);
  readonly #toAsk = new Set<Topic>();
  readonly #counts = { sent: 0, received: 0, malformed: 0 };
  #connection: NatsConnection | undefined;
  #node: BusNode | undefined;
  #isUp = false;
  #isClosed = false;
  #scheduled = false;

  /** Connects in the background, for as long as it takes. @throws where the URL is none of NATS */
  constructor(options: NatsOptions) {
    this.#options = options;
    void this.#connect(readServers(options.url));
  }

  attach(node: BusNode): void {
    this.#node = node;
  }

  publish({ topic, ref, by }: BusRef): void {
    if (!this.#isUp) return;
    this.#counts.sent++;
    this.#connection?.publish(`${REFS}${topic}`, `${by} ${ref}`);
  }

  setInterest(topic: Topic, wanted: boolean): void {
    if (wanted) {
      this.#wanted.add(topic);
      this.#subscribe(topic);
    } else {
      this.#wanted.delete(topic);
      this.#subscriptions.get(topic)?.unsubscribe();
      this.#subscriptions.delete(topic);
    }
  }

  stats(): BusStats {
    return { isUp: this.#isUp, ...this.#counts };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isUp = false;
    await this.#connection?.close();
  }

  async #connect({ servers, user, pass }: Servers): Promise<void> {
    while (!this.#isClosed) {
      try {
        const connection = await connect({
          servers: [...servers],
          ...(user !== undefined && { user, pass: pass ?? "" }),
          name: "coop",
          noEcho: true,
          maxReconnectAttempts: -1,
          reconnectTimeWait: RECONNECT_MS,
          timeout: 3_000,
          pingInterval: 5_000,
        });
        return this.#begin(connection);
      } catch {
        await new Promise<void>((done) => this.#options.clock.after(RECONNECT_MS, done));
      }
    }
  }

  #begin(connection: NatsConnection): void {
    this.#connection = connection;
    if (this.#isClosed) return void connection.close();
    connection.subscribe(ASK, { callback: heard((message) => this.#answer(message)) });
    connection.subscribe(this.#inbox, {
      callback: heard((message) => {
        // Empty: the server says that no other node listens.
        if (message.data.length > 0) this.#hearKept(parseJson(message.string()));
      }),
    });
    this.#setUp(true);
    void this.#watch(connection);
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === "disconnect") this.#setUp(false);
      if (type === "reconnect") this.#setUp(true);
    }
  }

  #setUp(isUp: boolean): void {
    if (this.#isUp === isUp || this.#isClosed) return;
    this.#isUp = isUp;
    this.#options.note(isUp ? "bus: connected" : "bus: NATS is away; this node goes on by itself");
    // After a pause, what was missed is asked for.
    if (isUp) for (const topic of this.#wanted) this.#subscribe(topic);
  }

  #subscribe(topic: Topic): void {
    if (!this.#isUp || this.#connection === undefined) return;
    if (!this.#subscriptions.has(topic))
      this.#subscriptions.set(
        topic,
        this.#connection.subscribe(`${REFS}${topic}`, {
          callback: heard((message) => this.#hear(topic, message.string())),
        }),
      );
    if (this.#asks.take("asks", this.#options.clock.now()) > 0) return;
    this.#toAsk.add(topic);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#ask());
  }

  /** One question for all topics of a turn. */
  #ask(): void {
    this.#scheduled = false;
    const topics = [...this.#toAsk];
    this.#toAsk.clear();
    const connection = this.#connection;
    if (!this.#isUp || connection === undefined) return;
    for (let i = 0; i < topics.length; i += ASKED_AT_ONCE) {
      const asked = topics.slice(i, i + ASKED_AT_ONCE);
      connection.publish(ASK, canonicalize(asked), { reply: this.#inbox });
    }
  }

  #answer(message: Msg): void {
    const asked = parseJson(message.string());
    if (!Array.isArray(asked) || this.#node === undefined) return void this.#counts.malformed++;
    for (const topic of (asked as readonly Json[]).slice(0, ASKED_AT_ONCE)) {
      if (typeof topic !== "string" || !isTopic(topic)) continue;
      const kept = this.#node.keptOf(topic).slice(-RETAINED_REFS);
      if (kept.length > 0)
        message.respond(canonicalize([topic, ...kept.map(({ ref, by }) => `${by} ${ref}`)]));
    }
  }

  #hearKept(answer: Json | undefined): void {
    const [topic, ...refs] = Array.isArray(answer) ? (answer as readonly Json[]) : [];
    if (typeof topic !== "string" || !isTopic(topic)) return void this.#counts.malformed++;
    if (!this.#wanted.has(topic)) return;
    for (const text of refs.slice(0, RETAINED_REFS)) this.#hear(topic, typeof text === "string" ? text : "");
  }

  #hear(topic: Topic, text: string): void {
    const [by = "", ref = "", ...rest] = text.split(" ");
    if (rest.length > 0 || !/^[0-9a-f]{16}$/.test(by) || !isRef(ref)) return void this.#counts.malformed++;
    this.#counts.received++;
    this.#node?.hear({ topic, ref, by });
  }
}

/** An error of a subscription means that it is over, which the connection's state tells. */
function heard(listener: (message: Msg) => void): (error: Error | null, message: Msg) => void {
  return (error, message) => {
    if (error === null) listener(message);
  };
}

interface Servers {
  readonly servers: readonly string[];
  readonly user: string | undefined;
  readonly pass: string | undefined;
}

/** @throws where a part of the list is no URL of NATS */
export function readServers(text: string): Servers {
  const urls = text.split(",").map((part) => (URL.canParse(part.trim()) ? new URL(part.trim()) : undefined));
  const servers = urls.map((url) => {
    if (url === undefined || !/^(nats|tls):$/.test(url.protocol) || url.hostname === "")
      throw new Error("a bus is a URL such as nats://host:4222, or several with commas");
    return `${url.protocol}//${url.host}`;
  });
  const [first] = urls;
  const part = (value: string | undefined) =>
    value === undefined || value === "" ? undefined : decodeURIComponent(value);
  return { servers, user: part(first?.username), pass: part(first?.password) };
}
