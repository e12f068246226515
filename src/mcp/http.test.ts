// MCP over HTTP: the SDK's own client by its token, and who is turned away.

import { afterEach, beforeEach, expect, test } from "vitest";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { request } from "node:http";
import { callOf, McpTable, type Player } from "../testing/mcp-players.ts";
import { createMcpServer } from "./mcp-server.ts";
import { serveMcp, type McpHttp } from "./http.node.ts";

const TOKEN = "a-token-of-this-test";
let player: Player;
let http: McpHttp;
beforeEach(async () => {
  player = await new McpTable().join();
  http = await serveMcp(() => createMcpServer(player.desk, "1.0.0"), 0, TOKEN);
});
afterEach(async () => {
  await http.close();
  await player.close();
});

/** A bare request, with any Host and headers. */
function ask(headers: Record<string, string>, path = "/mcp"): Promise<number> {
  const { port } = new URL(http.url);
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method: "POST", headers }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    sent.on("error", reject).end("{}");
  });
}

test("a client with the token calls tools; two clients share the games", async () => {
  const clients = await Promise.all(
    ["one", "two"].map(async (name) => {
      const client = new Client({ name, version: "1.0.0" });
      const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(http.url), { requestInit }));
      return client;
    }),
  );
  const created = await callOf(clients[0]!)("create_session", { game: "rps" });
  const state = await callOf(clients[1]!)("session_state", { session: created.data["invite"] });
  expect(state.data).toMatchObject({ status: "waiting for players", role: "host" });
  await Promise.all(clients.map((client) => client.close()));
});

test("without the token, from another site, or by another name of this machine: refused", async () => {
  const { host } = new URL(http.url);
  const authorization = `Bearer ${TOKEN}`;
  expect(await ask({ host })).toBe(401);
  expect(await ask({ host, authorization: "Bearer wrong" })).toBe(401);
  expect(await ask({ host: "evil.example", authorization })).toBe(403);
  expect(await ask({ host, authorization, origin: "https://evil.example" })).toBe(403);
  expect(await ask({ host, authorization, origin: "null" })).toBe(403);
  expect(await ask({ host, authorization }, "/other")).toBe(404);
  expect(await ask({ host, authorization, "mcp-session-id": "unknown" })).toBe(404);
  expect(await ask({ host, authorization, origin: `http://${host}` })).toBe(406);
});
