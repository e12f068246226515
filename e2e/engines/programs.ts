// Programs that the engines need: where they are, and how they are started until they answer.

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { delimiter, join } from "node:path";

/** The first of these programs in PATH, in the order of the names. */
export function findProgram(names: readonly string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** A port of loopback that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** An X server on a display that it has chosen itself. */
export async function startDisplay(): Promise<{ display: string; stop: () => void }> {
  const args = ["-displayfd", "3", "-nolisten", "tcp", "-screen", "0", "1280x900x24"];
  const child = spawn("Xvfb", args, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const display = await firstText(child);
  return { display: `:${display.trim()}`, stop: () => void child.kill() };
}

function firstText(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`Xvfb ended with ${code}`)));
    child.stdio[3]?.once("data", (chunk: Buffer) => resolve(chunk.toString()));
  });
}

/** Resolves once something listens at the port. */
export async function listening(port: number, until: number): Promise<void> {
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/status`);
      return;
    } catch (cause) {
      if (Date.now() > until) throw new Error(`nothing answers at port ${port}`, { cause });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
