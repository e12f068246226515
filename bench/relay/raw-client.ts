// A WebSocket client of the least cost, so that the load's own work hides as little as possible: it counts the bytes of
// payload that arrive, nothing else. RFC 6455; frames of any opcode are walked, text and binary ones counted.

import { connect, type Socket } from "node:net";
import { randomBytes } from "node:crypto";

export class CountingClient {
  readonly #socket: Socket;
  readonly #onPayload: (bytes: number) => void;
  #open = false;
  #left = 0; // payload bytes of the current frame still to come
  #counts = true; // whether the current frame is counted
  #head: Buffer = Buffer.alloc(0); // of a frame's header, what has arrived

  private constructor(socket: Socket, onPayload: (bytes: number) => void) {
    this.#socket = socket;
    this.#onPayload = onPayload;
  }

  /** Connects and upgrades. `onPayload` is called once for each chunk that arrives, with its bytes of payload. */
  static async open(port: number, path: string, onPayload: (bytes: number) => void): Promise<CountingClient> {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    const client = new CountingClient(socket, onPayload);
    await new Promise<void>((resolve, reject) => {
      socket.on("error", reject);
      socket.on("close", () => reject(new Error("closed by the server")));
      socket.on("data", (chunk: Buffer) => client.#read(chunk, resolve, reject));
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
      );
    });
    return client;
  }

  send(text: string): void {
    this.#socket.write(maskedFrame(text));
  }

  sendAll(texts: readonly string[]): void {
    this.#socket.write(Buffer.concat(texts.map(maskedFrame)));
  }

  end(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer, opened: () => void, failed: (error: Error) => void): void {
    if (!this.#open) {
      const end = chunk.indexOf("\r\n\r\n");
      if (!chunk.subarray(0, 12).equals(Buffer.from("HTTP/1.1 101")) || end < 0)
        return failed(new Error(`no upgrade: ${chunk.subarray(0, 80).toString("latin1")}`));
      this.#open = true;
      opened();
      chunk = chunk.subarray(end + 4);
    }
    const bytes = this.#walk(chunk);
    if (bytes > 0) this.#onPayload(bytes);
  }

  #walk(chunk: Buffer): number {
    let counted = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.#left === 0) {
        if (this.#head.length > 0) {
          chunk = Buffer.concat([this.#head, chunk.subarray(at)]);
          this.#head = Buffer.alloc(0);
          at = 0;
        }
        const size = headerSize(chunk, at);
        if (at + size > chunk.length) {
          this.#head = Buffer.from(chunk.subarray(at));
          break;
        }
        this.#left = payloadLength(chunk, at);
        this.#counts = (chunk[at]! & 0x0f) < 8;
        at += size;
      }
      const take = Math.min(this.#left, chunk.length - at);
      if (this.#counts) counted += take;
      this.#left -= take;
      at += take;
    }
    return counted;
  }
}

function headerSize(chunk: Buffer, at: number): number {
  if (chunk.length - at < 2) return 2;
  const short = chunk[at + 1]!;
  return short < 126 ? 2 : short === 126 ? 4 : 10;
}

function payloadLength(chunk: Buffer, at: number): number {
  const short = chunk[at + 1]!;
  if (short < 126) return short;
  return short === 126 ? chunk.readUInt16BE(at + 2) : Number(chunk.readBigUInt64BE(at + 2));
}

/** A masked text frame. */
function maskedFrame(text: string): Buffer {
  const body = Buffer.from(text, "latin1");
  const head =
    body.length < 126
      ? Buffer.from([0x81, 0x80 | body.length])
      : Buffer.from([0x81, 0x80 | 126, body.length >> 8, body.length & 255]);
  return Buffer.concat([head, Buffer.from([1, 2, 3, 4]), body.map((byte, i) => byte ^ ((i & 3) + 1))]);
}
