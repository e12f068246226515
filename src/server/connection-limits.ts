// Open connections, in all and by address. The address here is the socket's own: behind a proxy that is trusted all
// clients share its connections, so those count in all alone, and each client's requests are limited one by one.

import type { Server } from "node:http";
import type { Socket } from "node:net";
import { errorBody } from "../hub/hub-api.ts";
import { clientOf, type ClientAddresses } from "./client-address.ts";
import { API_HEADERS } from "./headers.ts";
import { Shares, type RequestLimits } from "./request-limits.ts";

/** Seconds until which a client that was turned away should wait. */
const RETRY_AFTER = 10;

export function limitConnections(server: Server, addresses: ClientAddresses, limits: RequestLimits): void {
  const open = new Shares(limits.connections, limits.connectionsPerAddress);
  server.on("connection", (socket: Socket) => {
    const { group, local } = clientOf(socket.remoteAddress);
    const limited = !addresses.isProxy(socket.remoteAddress) && (limits.loopback || !local);
    const taken = open.take(group, 1, limited);
    if (taken === "taken") return void socket.once("close", () => open.release(group, 1));
    const [status, type, limit] =
      taken === "address"
        ? ([
            "429 Too Many Requests",
            "RateLimited",
            `one address has ${limits.connectionsPerAddress}`,
          ] as const)
        : (["503 Service Unavailable", "Busy", `the server has ${limits.connections}`] as const);
    const message = `too many connections (at most: ${limit}): try again in ${RETRY_AFTER} s`;
    writeRawError(socket, status, type, message, { "retry-after": String(RETRY_AFTER) });
  });
}

/** Answers on a socket that no request was read from, and ends it. */
export function writeRawError(
  socket: Socket,
  status: string,
  type: string,
  message: string,
  more: Readonly<Record<string, string>> = {},
): void {
  const body = errorBody(type, message);
  const headers: Record<string, string> = {
    ...API_HEADERS,
    ...more,
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on("error", () => undefined);
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
  socket.destroySoon();
}
