// MCP over streamable HTTP on loopback. A request needs the token, a loopback Host and, from a browser, a loopback Origin:
// no page of another site, by whatever name it calls this machine, can use the keys.

import { randomUUID, timingSafeEqual, createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";

export const MCP_PATH = "/mcp";
const MAX_CONNECTIONS = 16;

export interface McpHttp {
  readonly url: string;
  close(): Promise<void>;
}

interface Connection {
  readonly transport: StreamableHTTPServerTransport;
  readonly server: Server;
}

/** Listens on 127.0.0.1. @throws NodeJS.ErrnoException where the port is taken */
export async function serveMcp(
  createConnection: () => Server,
  port: number,
  token: string,
): Promise<McpHttp> {
  const connections = new Map<string, Connection>();
  const http = createServer((request, response) => {
    const refusal = refusalOf(request, token);
    if (refusal !== undefined) return answer(response, refusal.status, refusal.says);
    respond(connections, createConnection, request, response).catch(() => {
      if (!response.headersSent) answer(response, 500, "the request failed");
    });
  });
  await new Promise<void>((listening, failed) => {
    http.once("error", failed);
    http.listen(port, "127.0.0.1", () => listening());
  });
  const { port: bound } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}${MCP_PATH}`,
    close: async () => {
      await Promise.all([...connections.values()].map(({ server }) => server.close()));
      http.closeAllConnections();
      await new Promise<void>((closed) => http.close(() => closed()));
    },
  };
}

async function respond(
  connections: Map<string, Connection>,
  createConnection: () => Server,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const id = request.headers["mcp-session-id"];
  if (typeof id === "string") {
    const connection = connections.get(id);
    if (connection === undefined) return answer(response, 404, "no such MCP session: initialize again");
    return connection.transport.handleRequest(request, response);
  }
  if (connections.size >= MAX_CONNECTIONS)
    return answer(response, 503, `${MAX_CONNECTIONS} MCP sessions are open: end one first`);
  const server = createConnection();
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (made) => void connections.set(made, { transport, server }),
    onsessionclosed: (made) => void connections.delete(made),
  });
  await server.connect(transport);
  await transport.handleRequest(request, response);
  if (transport.sessionId === undefined) await server.close();
}

interface HttpRefusal {
  readonly status: number;
  readonly says: string;
}

function refusalOf({ headers, url, socket }: IncomingMessage, token: string): HttpRefusal | undefined {
  const names = ["127.0.0.1", "localhost"].map((name) => `${name}:${socket.localPort}`);
  if (!names.includes(headers.host ?? "")) return { status: 403, says: "the Host is not this machine" };
  const { origin } = headers;
  if (origin !== undefined && !names.some((name) => origin === `http://${name}`))
    return { status: 403, says: "the Origin is not this machine" };
  if (!isToken(headers.authorization, token))
    return { status: 401, says: "give the token: Authorization: Bearer <token>" };
  if ((url ?? "").split("?")[0] !== MCP_PATH) return { status: 404, says: `the path is ${MCP_PATH}` };
  return undefined;
}

function isToken(authorization: string | undefined, token: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(authorization ?? ""), hash(`Bearer ${token}`));
}

function answer(response: ServerResponse, status: number, says: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message: says } }));
}
