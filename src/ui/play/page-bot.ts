// Calls the house bot to an invite: the server's by its inbox topic, or, where there is no server, one in a worker of
// this browser, over the same Hub and the tabs' channel.

import { useSyncExternalStore } from "react";
import { isAddress, type Address, type Ref } from "../../core/values.ts";
import type { AppEnvironment } from "../services/environment.ts";
import { useEnvironment } from "../services/use-environment.ts";
import { GAME_NAMES } from "./games.ts";

let worker: Promise<Address> | undefined;
/** The address of the house in this browser, once its worker has told it. */
let local: Address | null = null;
const listeners = new Set<() => void>();

/** The house's address, as far as it is known: for calling it by its name. */
export function useHouseAddress(): Address | null {
  const environment = useEnvironment();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const here = useSyncExternalStore(subscribe, () => local);
  return environment.house ?? here;
}

/** The games that the house plays, here or on the serving host; none where there is no house. */
export function useHouseGames(): readonly string[] {
  const { host, house, embedded } = useEnvironment();
  if (house !== null) return host.kind === "hosted" ? (host.config.house?.games ?? []) : [];
  return embedded ? GAME_NAMES : [];
}

/** Tells the house of an invite. It is told again while nobody has come: an announcement may be lost. @throws Error without a house */
export async function callHouse(environment: AppEnvironment, invite: Ref): Promise<void> {
  const address = await houseAddress(environment);
  if (environment.channel === null)
    throw new Error("The house is called over a relay, and there is none here.");
  environment.channel.publish(address, invite);
}

/** The house's address; starts the worker where the house is in this browser. */
export function houseAddress(environment: AppEnvironment): Promise<Address> {
  if (environment.house !== null) return Promise.resolve(environment.house);
  if (!environment.embedded) return Promise.reject(new Error("This Hub’s host has no house bot."));
  worker ??= startWorker();
  worker.catch(() => (worker = undefined));
  return worker;
}

function startWorker(): Promise<Address> {
  return new Promise((resolve, reject) => {
    const house = new Worker(new URL("./bot.worker.ts", import.meta.url), { type: "module" });
    house.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (isAddress(data)) {
        local = data;
        listeners.forEach((listener) => listener());
        resolve(data);
      } else reject(new Error(typeof data === "string" ? data : "The house could not be started."));
    };
    house.onerror = (event) => reject(new Error(event.message || "The house could not be loaded."));
  });
}
