// The app's files, and what the app asks its own server first: where Hub, relay and bot are.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
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
/** Name of the page's `meta` element that holds the config. */
const CONFIG_NAME = "coop-config";

/** `GET /config.json`, and in the page itself. Paths are relative to the app's page, so that they hold under any prefix. */
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

/**
 * The page carries its config, so that it need not ask for it; built files are sent as they were compressed by the build.
 * @throws where the folder has no index.html
 */
export async function appFiles(app: FastifyInstance, folder: string, config: () => AppConfig): Promise<void> {
  if (!existsSync(join(folder, "index.html"))) throw new Error(`no app in ${folder}: index.html is missing`);
  await app.register(fastifyStatic, {
    root: folder,
    cacheControl: false,
    index: false,
    preCompressed: true,
    setHeaders: (response, path) => {
      for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
      // Built files carry a hash of their content in their name.
      const lasting = /[\\/]assets[\\/]/.test(path);
      response.setHeader("cache-control", lasting ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
  for (const [path, headers] of [
    ["/", PAGE_HEADERS],
    ["/index.html", PAGE_HEADERS],
    [EMBED, EMBED_HEADERS],
  ] as const)
    app.get(path, async (_request, reply) => {
      const page = await readFile(join(folder, "index.html"), "utf8");
      return reply
        .headers({ ...headers, "cache-control": "no-cache" })
        .type("text/html; charset=utf-8")
        .send(withConfig(page, config()));
    });
}

/** The page with its config in an element that src/ui/services/host-config.ts reads. */
function withConfig(page: string, config: AppConfig): string {
  const text = JSON.stringify(config)
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;");
  return page.replace(/<\/head>/i, () => `<meta name="${CONFIG_NAME}" content="${text}"></head>`);
}
