// What the app runs on: which Hub, relay, verifier, store and vault. Opened once for a page, whatever is mounted when.
// Hub and relay: the reader's choice, else the serving host's, else this browser's own (IndexedDB, tabs).

import { TabChannel } from "../../channel/channel.broadcast.ts";
import type { Channel } from "../../channel/channel.ts";
import { LazyChannel } from "../../channel/channel.lazy.ts";
import { RelayChannel } from "../../channel/channel.websocket.ts";
import type { Address } from "../../core/values.ts";
import { HttpHub } from "../../hub/hub.http.ts";
import { systemHubEnvironment } from "../../hub/hub-environment.ts";
import type { Hub } from "../../hub/hub.ts";
import { openBrowserHub } from "../../hub/hub.indexeddb.ts";
import { MemoryHub } from "../../hub/hub.memory.ts";
import type { PeerEnvironment } from "../../peer/environment.ts";
import { openLog, type LogWriter } from "../../log/log-writer.ts";
import { indexedDbStore } from "../../platform/key-value-store.indexeddb.ts";
import { withSealedSalts } from "./sealed-salts.ts";
import { memoryStore } from "../../platform/key-value-store.memory.ts";
import { createBrowserVerifier } from "../../verify/pool.browser.ts";
import { indexedDbVault } from "../../wallet/vault.indexeddb.ts";
import { memoryVault } from "./vault.memory.ts";
import type { Vault } from "../../wallet/vault.ts";
import type { Wallet } from "../../wallet/wallet.ts";
import type { Preferences } from "./preferences.ts";
import { AnnouncedWallets } from "../../wallet/announced-providers.ts";
import { VaultError } from "../../wallet/vault.ts";
import { InjectedWallets } from "../wallet/injected-wallets.ts";
import { pageClock, pageRandom, tabLocks } from "./browser-ports.ts";
import { configInPage, readHost, urlOf, type ReadHost } from "./host-config.ts";
import { keptTexts, type KeptTexts } from "./page-texts.ts";

export interface AppEnvironment extends PeerEnvironment {
  readonly host: ReadHost;
  /** No server takes part: what is written stays in this browser. */
  readonly embedded: boolean;
  readonly vault: Vault;
  /** Keys and Hub are gone with the page: the browser keeps nothing here. */
  readonly keepsNothing: boolean;
  readonly relayName: string | null;
  /** The bot's address; null where it runs in this browser. */
  readonly bot: Address | null;
  /** Short texts that outlive the page. */
  readonly texts: KeptTexts;
  /** Wallets of the browser that sign in windows of their own. */
  readonly injected: InjectedWallets;
  /** The wallet of an account: a key of the vault, or one of the browser's wallets. @throws VaultError, WalletError */
  walletOf(address: Address): Promise<Wallet>;
  /** A Hub by its URL, for links that name one. The same object for the same URL. */
  hubAt(url: string): Hub;
  /** The one writer of a wallet in this page. */
  logOf(wallet: Wallet): LogWriter;
}

export type Choices = Pick<Preferences, "hub" | "relay">;

/** Opens everything. Never rejects: what cannot be kept is held in memory, and said to be. */
export async function openEnvironment(page: string, choices: Choices): Promise<AppEnvironment> {
  const host = await readHost(
    (url) => fetch(url, { cache: "no-store" }),
    page,
    configInPage(window.document),
  );
  const config = host.kind === "hosted" ? host.config : null;
  const hubUrl = urlOf(choices.hub, page, false) ?? config?.hub ?? null;
  const relayUrl = urlOf(choices.relay, page, true) ?? config?.relay ?? null;
  const hubAt = hubsByUrl();
  const [ownHub, store, vault] = await Promise.all([
    hubUrl === null ? orElse<Hub, Hub>(openBrowserHub, () => new MemoryHub("this browser")) : null,
    orElse(indexedDbStore, memoryStore),
    orElse(() => indexedDbVault(window.crypto), memoryVault),
  ]);
  const hub = ownHub?.value ?? hubAt(hubUrl!);
  const base: PeerEnvironment = {
    hub,
    // Connected when something is followed or announced, not by opening the page.
    channel:
      relayUrl !== null
        ? new LazyChannel(() => relayChannel(relayUrl))
        : hubUrl === null
          ? tabChannel()
          : null,
    verifier: await createBrowserVerifier({ startsEarly: true }),
    store: withSealedSalts(store.value, vault.value),
    locks: tabLocks,
    clock: pageClock,
    random: pageRandom,
  };
  const texts = keptTexts(() => window.localStorage);
  const injected = new InjectedWallets(new AnnouncedWallets(window), texts, pageClock);
  return {
    ...base,
    texts,
    injected,
    walletOf: walletsOf(vault.value, injected),
    host,
    embedded: hubUrl === null,
    vault: vault.value,
    keepsNothing: store.fallback || vault.fallback || ownHub?.fallback === true,
    relayName: relayUrl,
    bot: hubUrl !== null && config?.bot !== undefined ? (config.bot?.address ?? null) : null,
    hubAt: (url) => (url === hub.name ? hub : hubAt(url)),
    logOf: logsByAddress(base),
  };
}

async function orElse<T, U extends T>(
  open: () => Promise<T>,
  instead: () => U,
): Promise<{ value: T; fallback: boolean }> {
  try {
    return { value: await open(), fallback: false };
  } catch {
    return { value: instead(), fallback: true };
  }
}

function hubsByUrl(): (url: string) => Hub {
  const hubs = new Map<string, Hub>();
  return (url) => {
    const known = hubs.get(url);
    if (known !== undefined) return known;
    const hub = new HttpHub(url, systemHubEnvironment(), {
      // For this tab and ten minutes: a reload does not ask the person again.
      signIns: keptTexts(() => window.sessionStorage),
    });
    hubs.set(url, hub);
    return hub;
  };
}

/** A key that is kept but cannot be read is no reason to look elsewhere: that is said. */
function walletsOf(vault: Vault, injected: InjectedWallets): (address: Address) => Promise<Wallet> {
  return async (address) => {
    try {
      return await vault.wallet(address);
    } catch (error) {
      if (!(error instanceof VaultError) || error.code !== "no-such-key") throw error;
    }
    return injected.find(address);
  };
}

function logsByAddress(environment: PeerEnvironment): (wallet: Wallet) => LogWriter {
  const logs = new Map<Address, LogWriter>();
  return (wallet) => {
    const known = logs.get(wallet.address);
    if (known !== undefined) return known;
    const log = openLog(environment, wallet);
    logs.set(wallet.address, log);
    return log;
  };
}

function relayChannel(url: string): Channel {
  const channel = new RelayChannel({ url, WebSocket, clock: pageClock, random: Math.random });
  const wake = () => {
    if (document.visibilityState === "visible") channel.wake();
  };
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  return channel;
}

function tabChannel(): Channel | null {
  return typeof BroadcastChannel === "undefined" ? null : new TabChannel(BroadcastChannel);
}
