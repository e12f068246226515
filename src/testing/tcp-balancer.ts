// A small TCP balancer on a loopback port: each connection goes to the next backend that takes it. One may be cut off, as by
// a broken network: its connections end and no new ones come through.

import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

export class TcpBalancer {
  readonly #backends: readonly number[];
  readonly #server: Server;
  readonly #pairs = new Map<Socket, { readonly backend: number; readonly to: Socket }>();
  readonly #cut = new Set<number>();
  #next = 0;

  private constructor(backends: readonly number[]) {
    this.#backends = backends;
    this.#server = createServer((from) => this.#take(from, backends.length));
  }

  /** `backends` are ports of 127.0.0.1. */
  static async start(backends: readonly number[]): Promise<TcpBalancer> {
    const balancer = new TcpBalancer(backends);
    balancer.#server.listen(0, "127.0.0.1");
    await once(balancer.#server, "listening");
    return balancer;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  cut(backend: number): void {
    this.#cut.add(backend);
    for (const [from, pair] of this.#pairs) {
      if (pair.backend !== backend) continue;
      from.destroy();
      pair.to.destroy();
    }
  }

  join(backend: number): void {
    this.#cut.delete(backend);
  }

  async close(): Promise<void> {
    for (const backend of this.#backends) this.cut(backend);
    this.#server.close();
    await once(this.#server, "close");
  }

  #take(from: Socket, attempts: number): void {
    from.on("error", () => from.destroy());
    const open = this.#backends.filter((backend) => !this.#cut.has(backend));
    if (open.length === 0 || attempts === 0) return void from.destroy();
    const backend = open[this.#next++ % open.length]!;
    const to = connect(backend, "127.0.0.1");
    const refused = () => this.#take(from, attempts - 1);
    to.once("error", refused);
    to.once("connect", () => {
      to.off("error", refused);
      to.on("error", () => to.destroy());
      this.#pairs.set(from, { backend, to });
      from.once("close", () => {
        this.#pairs.delete(from);
        to.destroy();
      });
      to.once("close", () => from.destroy());
      from.pipe(to).pipe(from);
    });
  }
}
