// Clients of MCP servers in one process, each with keys and a store of its own, at one Hub and relay in memory.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { MemoryBroker } from "../channel/channel.memory.ts";
import { MemoryHub } from "../hub/hub.memory.ts";
import { openLobby } from "../invite/lobby.ts";
import { openLog } from "../log/log-writer.ts";
import type { Desk } from "../mcp/desk.ts";
import { JoinedGames, type GameLimits } from "../mcp/joined-games.ts";
import { createMcpServer } from "../mcp/mcp-server.ts";
import type { Clock } from "../platform/clock.ts";
import { memoryStore } from "../platform/key-value-store.memory.ts";
import type { Store } from "../platform/key-value-store.ts";
import { localLocks } from "../platform/locks.ts";
import { createInlineVerifier } from "../verify/verifier.inline.ts";
import { generateSecret, localWallet, type LocalWallet } from "../wallet/wallet.local.ts";

const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

export const realClock: Clock = {
  now: () => Date.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** What a caller reads of a tool. */
export interface Told {
  readonly text: string;
  readonly data: Record<string, unknown>;
  readonly isError: boolean;
}

export type CallTool = (name: string, input?: Record<string, unknown>) => Promise<Told>;

export interface Player {
  readonly client: Client;
  readonly call: CallTool;
  readonly desk: Desk;
  readonly files: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

export function callOf(client: Client): CallTool {
  return async (name, input = {}) => {
    const result = await client.callTool({ name, arguments: input });
    const content = result.content as readonly { readonly type: string; readonly text?: string }[];
    return {
      text: content[0]!.text!,
      data: result.structuredContent as Record<string, unknown>,
      isError: result.isError === true,
    };
  };
}

export class McpTable {
  readonly hub = new MemoryHub("http://hub.test");
  readonly broker = new MemoryBroker();

  /** A wallet and its store outlive the process that uses them. */
  newKeys(): { readonly wallet: LocalWallet; readonly store: Store } {
    return { wallet: localWallet(generateSecret(random)), store: memoryStore() };
  }

  async join(keys = this.newKeys(), limits: GameLimits = { games: 8, entries: 1000 }): Promise<Player> {
    const channel = this.broker.connect();
    const environment = {
      hub: this.hub,
      channel,
      verifier: createInlineVerifier(),
      store: { ...keys.store, durability: "disk" as const },
      locks: localLocks(),
      clock: realClock,
      random,
    };
    const log = openLog(environment, keys.wallet);
    const games = new JoinedGames(environment, log, limits);
    await games.resume();
    const lobby = openLobby(environment);
    const files = new Map<string, string>();
    const desk: Desk = {
      environment,
      games,
      hubs: [this.hub],
      lobby,
      app: "http://hub.test/",
      saveExport: async (name, text) => {
        files.set(name, text);
        return `/exports/${name}`;
      },
      reportTemplate: async () => "<title>{{report-title}}</title><script>{{report-data}}</script>",
    };
    const server = createMcpServer(desk, "1.0.0");
    const client = new Client({ name: "test", version: "1.0.0" });
    const [left, right] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(left), client.connect(right)]);
    const close = async (): Promise<void> => {
      await client.close();
      lobby.close();
      games.close();
      log.close();
      channel.close();
    };
    return { client, call: callOf(client), desk, files, close };
  }
}

interface MoveSchema {
  readonly properties: {
    readonly session: { readonly enum: readonly string[] };
    readonly kind: { readonly enum: readonly string[] };
    readonly value?: { readonly enum?: readonly string[]; readonly pattern?: string };
  };
}

/** What the move tool's schema offers now for a session; empty where it offers no exact moves. */
export async function offeredMoves(client: Client, session: string): Promise<readonly MoveSchema[]> {
  const { tools } = await client.listTools();
  const { move } = tools.find(({ name }) => name === "move")!.inputSchema.properties as {
    move: { anyOf?: readonly MoveSchema[] };
  };
  return (move.anyOf ?? []).filter(({ properties }) => properties.session.enum.includes(session));
}

/** Plays what the schema offers, by `choose`, until the verdict is final; resolves with the last state. */
export async function playOut(
  client: Client,
  session: string,
  choose: (kinds: readonly string[], offered: readonly MoveSchema[]) => { kind: string; value?: string },
): Promise<Told> {
  const call = callOf(client);
  for (;;) {
    const state = await call("wait_for_turn", { session, seconds: 20 });
    if (state.data["timed_out"] === true) throw new Error(`nothing happens: ${state.text}`);
    if (state.data["status"] !== "your move") return state;
    const id = state.data["session"] as string;
    const offered = await offeredMoves(client, id);
    const move = choose(
      offered.map(({ properties }) => properties.kind.enum[0]!),
      offered,
    );
    const moved = await call("move", { move: { session: id, ...move } });
    if (moved.isError) throw new Error(moved.text);
  }
}
