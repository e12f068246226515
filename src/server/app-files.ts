// The app's files, and what the app asks its own server first: where Hub, relay and bot are.

import { existsSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import type { Address } from "../core/values.ts";
import { EMBED_HEADERS, PAGE_HEADERS } from "./headers.ts";

/** The bot that runs beside this server, if any. */
export interface BotInfo {
  readonly address: Address;
  readonly games: readonly string[];
}

const EMBED = "/embed";

/** `GET /config.json`. Paths are relative to the app's page, so that they hold under any prefix. */
export interface AppConfig {
  readonly hub: string;
  readonly relay: string | null;
  readonly bot: BotInfo | null;
}

export function configRoute(app: FastifyInstance, config: () => AppConfig): void {
  app.get("/config.json", (_request, reply) =>
    reply.headers({ ...PAGE_HEADERS, "cache-control": "no-store" }).send(config()),
  );
}

/** @throws where the folder has no index.html */
export async function appFiles(app: FastifyInstance, folder: string): Promise<void> {
  if (!existsSync(join(folder, "index.html"))) throw new Error(`no app in ${folder}: index.html is missing`);
  await app.register(fastifyStatic, {
    root: folder,
    cacheControl: false,
    setHeaders: (response, path) => {
      for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
      // Built files carry a hash of their content in their name.
      const lasting = /[\\/]assets[\\/]/.test(path);
      response.setHeader("cache-control", lasting ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  // What a reply has itself goes before what is set for every file.
  app.get(EMBED, (_request, reply) => reply.headers(EMBED_HEADERS).sendFile("index.html"));
}
