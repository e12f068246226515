// Calls the bot to an invite: the server's by its inbox topic, or, where there is no server, one in a worker of
// this browser, over the same Hub and the tabs' channel.

import { useSyncExternalStore } from "react";
import { isAddress, type Address, type Ref } from "../../core/values.ts";
import type { AppEnvironment } from "../services/environment.ts";
import { useEnvironment } from "../services/use-environment.ts";
import { GAME_NAMES } from "./games.ts";

let worker: Promise<Address> | undefined;
/** The address of the bot in this browser, once its worker has told it. */
let local: Address | null = null;
const listeners = new Set<() => void>();

/** The bot's address, as far as it is known: for calling it by its name. */
export function useBotAddress(): Address | null {
  const environment = useEnvironment();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const here = useSyncExternalStore(subscribe, () => local);
  return environment.bot ?? here;
}

/** The games that the bot plays, here or on the serving host; none where there is no bot. */
export function useBotGames(): readonly string[] {
  const { host, bot, embedded } = useEnvironment();
  if (bot !== null) return host.kind === "hosted" ? (host.config.bot?.games ?? []) : [];
  return embedded ? GAME_NAMES : [];
}

/** Announces an invite to the bot. Call again until it joins: an announcement may be lost. @throws Error without a bot or a relay */
export async function callBot(environment: AppEnvironment, invite: Ref): Promise<void> {
  const address = await botAddress(environment);
  if (environment.channel === null)
    throw new Error("No relay: the bot cannot be called. Set a relay in the settings.");
  environment.channel.publish(address, invite);
}

/** The bot's address; starts the worker where the bot is in this browser. */
export function botAddress(environment: AppEnvironment): Promise<Address> {
  if (environment.bot !== null) return Promise.resolve(environment.bot);
  if (!environment.embedded) return Promise.reject(new Error("The host of this Hub has no bot."));
  worker ??= startWorker();
  worker.catch(() => (worker = undefined));
  return worker;
}

function startWorker(): Promise<Address> {
  return new Promise((resolve, reject) => {
    const bot = new Worker(new URL("./bot.worker.ts", import.meta.url), { type: "module" });
    bot.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (isAddress(data)) {
        local = data;
        listeners.forEach((listener) => listener());
        resolve(data);
      } else reject(new Error(typeof data === "string" ? data : "The bot could not be started."));
    };
    bot.onerror = (event) => reject(new Error(event.message || "The bot could not be loaded."));
  });
}
