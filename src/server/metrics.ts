// What a node counts, for Prometheus (prom-client). Labels come from closed lists of ours, never from a request's text,
// so that no client can make the number of series grow. The process's own figures are collected from the first scrape on.

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { BusStats } from "./relay-bus.ts";
import type { RelayStats } from "./relay.ts";

/** What a node's parts say when they are asked. */
export interface MetricSources {
  readonly relay: () => RelayStats;
  readonly unsentBytes: () => number;
  readonly isDraining: () => boolean;
}

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]);
/** Kinds of routes, as labels. */
export type RouteLabel =
  "info" | "bucket" | "object" | "content" | "conversation" | "operation" | "page" | "unknown";

export class ServerMetrics {
  readonly #registry = new Registry();
  readonly #requests: Counter<"method" | "route" | "status">;
  readonly #seconds: Histogram<"route">;
  #withProcess = false;

  constructor(sources: MetricSources) {
    const registers = [this.#registry];
    this.#requests = new Counter({
      name: "coop_http_requests_total",
      help: "Answered requests",
      labelNames: ["method", "route", "status"],
      registers,
    });
    this.#seconds = new Histogram({
      name: "coop_http_request_seconds",
      help: "Seconds from a request's headers to the end of its answer",
      labelNames: ["route"],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    });
    this.gauge("coop_unsent_bytes", "Bytes of answers that wait for their readers", sources.unsentBytes);
    this.gauge("coop_draining", "1 while the node takes leave", () => Number(sources.isDraining()));
    const { relay } = sources;
    this.gauge("coop_relay_connections", "Open relay connections", () => relay().connections);
    this.gauge("coop_relay_topics", "Topics with subscribers", () => relay().topics);
    this.gauge("coop_relay_kept_topics", "Topics with kept refs", () => relay().retainedTopics);
    this.counter("coop_relay_published_total", "Refs published here", () => relay().published);
    this.#relayFaults(relay);
  }

  /** A figure that is asked for at each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    const registers = [this.#registry];
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }

  /** The same of a sum that only grows. */
  counter(name: string, help: string, read: () => number): void {
    const registers = [this.#registry];
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  addBus(bus: () => BusStats): void {
    this.gauge("coop_bus_up", "1 while the bus is connected", () => Number(bus().isUp));
    this.counter("coop_bus_sent_total", "Refs sent to other nodes", () => bus().sent);
    this.counter("coop_bus_received_total", "Refs that came from other nodes", () => bus().received);
    this.counter("coop_bus_malformed_total", "What came over the bus and is no ref", () => bus().malformed);
  }

  answered(method: string, route: RouteLabel, status: number, seconds: number): void {
    this.#requests.inc({ method: METHODS.has(method) ? method : "other", route, status });
    this.#seconds.observe({ route }, seconds);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  async text(): Promise<string> {
    if (!this.#withProcess) collectDefaultMetrics({ register: this.#registry, prefix: "coop_" });
    this.#withProcess = true;
    return this.#registry.metrics();
  }

  #relayFaults(relay: () => RelayStats): void {
    const registers = [this.#registry];
    new Counter({
      name: "coop_relay_faults_total",
      help: "Frames and connections that the relay refused or ended, by cause",
      labelNames: ["cause"],
      registers,
      collect() {
        const { badFrames, rateLimited, slowReaders, silent, refused } = relay();
        this.reset();
        for (const [cause, count] of Object.entries({ badFrames, rateLimited, slowReaders, silent, refused }))
          this.inc({ cause }, count);
      },
    });
  }
}
