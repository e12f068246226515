// Runs in the page before everything else: puts a fake wallet extension there, and hands it to the test.

import { FAKE_INFO, FakeProvider } from "../src/testing/fake-provider.ts";
import type { SecretHex } from "../src/wallet/wallet.local.ts";

declare global {
  interface Window {
    /** The fake wallet of this page. */
    fakeWallet: FakeProvider;
    /** Told of each text that a fake wallet has signed, where a test listens: it outlives the page. */
    noteSigned?: (text: string) => void;
  }
}

const SECRETS: readonly SecretHex[] = [`0x${"31".repeat(32)}`, `0x${"32".repeat(32)}`];
const GRANTED = "fake-wallet-granted";

const provider = new FakeProvider(SECRETS, granted());
const request = provider.request.bind(provider);
// A real extension remembers, for a reload and for other tabs, which page may see its accounts.
provider.request = async (call) => {
  const answer = await request(call);
  if (call.method === "eth_requestAccounts") window.localStorage.setItem(GRANTED, "1");
  if (call.method === "personal_sign") window.noteSigned?.(provider.asked.at(-1) ?? "");
  return answer;
};
window.fakeWallet = provider;
provider.announce(window, { ...FAKE_INFO, name: "Fake \u202eWallet" });
new FakeProvider(SECRETS).announce(window, {
  uuid: "other",
  name: "<b>Other</b>",
  rdns: "test.other.wallet",
  icon: "https://elsewhere.example/icon.png",
});

function granted(): boolean {
  try {
    return window.localStorage.getItem(GRANTED) !== null;
  } catch {
    return false; // about:blank
  }
}
