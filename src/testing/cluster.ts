// Three nodes, PostgreSQL and NATS on loopback. Clients come through one balancer; each node reaches the database and the
// bus through balancers of its own, so that it can be cut off from either.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { freePort } from "./free-port.ts";
import { startNats, type NatsServer } from "./nats-server.ts";
import { startPostgres, type PostgresServer } from "./postgres-server.ts";
import { TcpBalancer } from "./tcp-balancer.ts";

const NODES = 3;

interface ClusterNode {
  readonly port: number;
  readonly database: TcpBalancer;
  readonly bus: TcpBalancer;
  readonly args: readonly string[];
  child: ChildProcess;
}

export class Cluster {
  readonly postgres: PostgresServer;
  readonly nats: NatsServer;
  readonly #nodes: readonly ClusterNode[];
  readonly #front: TcpBalancer;

  private constructor(
    parts: { readonly postgres: PostgresServer; readonly nats: NatsServer; readonly front: TcpBalancer },
    nodes: readonly ClusterNode[],
  ) {
    this.postgres = parts.postgres;
    this.nats = parts.nats;
    this.#front = parts.front;
    this.#nodes = nodes;
  }

  static async start(): Promise<Cluster> {
    const [postgres, nats] = await Promise.all([startPostgres(["fsync=off"]), startNats()]);
    const nodes = await Promise.all(
      Array.from({ length: NODES }, async () => {
        const port = await freePort();
        const database = await TcpBalancer.start([postgres.port]);
        const bus = await TcpBalancer.start([nats.port]);
        const store = postgres.url.replace(String(postgres.port), String(database.port));
        const args = [String(port), store, `nats://127.0.0.1:${bus.port}`];
        return { port, database, bus, args, child: await startNode(args) };
      }),
    );
    const front = await TcpBalancer.start(nodes.map(({ port }) => port));
    return new Cluster({ postgres, nats, front }, nodes);
  }

  /** Of all nodes, through the balancer. */
  get url(): string {
    return `http://127.0.0.1:${this.#front.port}`;
  }

  urlOf(node: number): string {
    return `http://127.0.0.1:${this.#nodes[node]!.port}`;
  }

  async kill(node: number): Promise<void> {
    await this.#end(node, "SIGKILL");
  }

  /** Has it take leave, as an operator's machines do. */
  async stop(node: number): Promise<void> {
    await this.#end(node, "SIGTERM");
  }

  async restart(node: number): Promise<void> {
    this.#nodes[node]!.child = await startNode(this.#nodes[node]!.args);
  }

  /** Cuts a node off from database and bus, or from its clients. */
  cut(node: number, from: "services" | "clients"): void {
    const { database, bus, port } = this.#nodes[node]!;
    if (from === "clients") return this.#front.cut(port);
    database.cut(this.postgres.port);
    bus.cut(this.nats.port);
  }

  join(node: number): void {
    const { database, bus, port } = this.#nodes[node]!;
    this.#front.join(port);
    database.join(this.postgres.port);
    bus.join(this.nats.port);
  }

  async close(): Promise<void> {
    await this.#front.close();
    for (const [i, { database, bus }] of this.#nodes.entries()) {
      await this.#end(i, "SIGKILL");
      await database.close();
      await bus.close();
    }
    await this.nats.kill();
    await this.postgres.close();
  }

  async #end(node: number, signal: NodeJS.Signals): Promise<void> {
    const { child } = this.#nodes[node]!;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill(signal);
    await exit;
  }
}

async function startNode(args: readonly string[]): Promise<ChildProcess> {
  const program = ["--import", "tsx", "src/testing/cluster-node.ts"];
  const child = spawn(process.execPath, [...program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`a node ended with ${String(code)} before it served`);
  });
  await Promise.race([once(child.stdout, "data"), failed]);
  return child;
}
