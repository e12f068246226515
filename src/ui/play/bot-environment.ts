// What the bot in this browser runs on: the same Hub and tabs' channel as the page, a store and a key of its own.

import { TabChannel } from "../../channel/channel.broadcast.ts";
import { openBrowserHub } from "../../hub/hub.indexeddb.ts";
import type { PeerEnvironment } from "../../peer/environment.ts";
import { openLog, type LogWriter } from "../../log/log-writer.ts";
import { indexedDbStore } from "../../platform/key-value-store.indexeddb.ts";
import { createInlineVerifier } from "../../verify/verifier.inline.ts";
import { generateSecret } from "../../wallet/wallet.local.ts";
import { indexedDbVault } from "../../wallet/vault.indexeddb.ts";
import { withSealedSalts } from "../services/sealed-salts.ts";
import { pageClock, pageRandom, tabLocks } from "../services/browser-ports.ts";

/** @throws HubError, StoreError, VaultError where this browser keeps nothing: then there is no bot in it */
export async function openBotEnvironment(): Promise<{ environment: PeerEnvironment; log: LogWriter }> {
  const vault = await indexedDbVault(self.crypto, "coop-bot-vault");
  const [known] = await vault.list();
  const { address } = known ?? (await vault.add("The bot", generateSecret(pageRandom)));
  const environment: PeerEnvironment = {
    hub: await openBrowserHub(),
    channel: new TabChannel(BroadcastChannel),
    verifier: createInlineVerifier(),
    store: withSealedSalts(await indexedDbStore("coop-bot"), vault),
    locks: tabLocks,
    clock: pageClock,
    random: pageRandom,
  };
  return { environment, log: openLog(environment, await vault.wallet(address)) };
}
