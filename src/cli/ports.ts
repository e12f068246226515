// The world as the command line finds it: system time and randomness, the relay by URL, keys and store in files.

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { WebSocket } from "ws";
import type { Channel } from "../channel/channel.ts";
import { RelayChannel, type SocketLike } from "../channel/channel.websocket.ts";
import type { Address } from "../core/values.ts";
import type { Clock } from "../platform/clock.ts";
import type { PeerEnvironment } from "../peer/environment.ts";
import { localLocks } from "../platform/locks.ts";
import { fileStore } from "../platform/key-value-store.node.ts";
import { createInlineVerifier } from "../verify/verifier.inline.ts";
import { generateSecret, type LocalWallet } from "../wallet/wallet.local.ts";
import { fileVault } from "../wallet/vault.node.ts";
import { Unusable } from "./console.ts";

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

export const systemRandom = (length: number): Uint8Array => new Uint8Array(randomBytes(length));

/** The relay at a URL; of a Hub served by `coop serve` it is at /relay. @throws Unusable */
export function openRelay(url: string): Channel {
  if (!URL.canParse(url)) throw new Unusable(`--relay ${url}: not a URL`);
  const address = new URL(url);
  if (address.protocol === "http:") address.protocol = "ws:";
  if (address.protocol === "https:") address.protocol = "wss:";
  if (!/^wss?:$/.test(address.protocol)) throw new Unusable(`--relay ${url}: not a ws or wss URL`);
  const Socket = WebSocket as unknown as new (url: string) => SocketLike;
  return new RelayChannel({ url: address.href, WebSocket: Socket, clock: systemClock, random: Math.random });
}

/** A peer's environment on files in `folder`. */
export async function openPeerEnvironment(
  folder: string,
  hub: PeerEnvironment["hub"],
  channel: Channel | null,
): Promise<PeerEnvironment> {
  return {
    hub,
    channel,
    verifier: createInlineVerifier(),
    store: await fileStore(join(folder, "peer")),
    locks: localLocks(),
    clock: systemClock,
    random: systemRandom,
  };
}

/** The key of that name in the folder's vault, made on first use. */
export async function keyNamed(folder: string, name: string): Promise<LocalWallet> {
  const vault = fileVault(join(folder, "keys.json"));
  const held = (await vault.list()).find((key) => key.name === name);
  const address: Address = held?.address ?? (await vault.add(name, generateSecret(systemRandom))).address;
  return vault.wallet(address);
}
