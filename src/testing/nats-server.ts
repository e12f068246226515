// A NATS server of one's own on a loopback port.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

export interface NatsServer {
  readonly port: number;
  readonly url: string;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on its port. */
  start(): Promise<void>;
}

/** @throws where there is none */
export function natsProgram(): string {
  const folders = [...(process.env["PATH"] ?? "").split(":"), "/usr/sbin"];
  const found = folders.map((folder) => join(folder, "nats-server")).find((path) => existsSync(path));
  if (found === undefined)
    throw new Error("there is no nats-server: install it (apt-get install nats-server)");
  return found;
}

export async function startNats(): Promise<NatsServer> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const server: NatsServer = {
    port,
    url: `nats://127.0.0.1:${port}`,
    kill: async () => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
    start: async () => {
      child = spawn(natsProgram(), ["-a", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
      await untilListening(port);
    },
  };
  await server.start();
  return server;
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const socket = connect({ port, host: "127.0.0.1" });
    try {
      await once(socket, "connect");
      return void socket.destroy();
    } catch (error) {
      if (attempt > 200) throw error;
      await new Promise((done) => setTimeout(done, 25));
    }
  }
}
