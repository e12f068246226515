// Runs in the page before everything else: puts a fake wallet extension there, and hands it to the test.

import { FAKE_INFO, FakeProvider } from "../src/testing/fake-provider.ts";
import type { SecretHex } from "../src/wallet/local-key.ts";

declare global {
  interface Window {
    /** The fake wallet of this page. */
    fakeWallet: FakeProvider;
  }
}

const SECRETS: readonly SecretHex[] = [`0x${"31".repeat(32)}`, `0x${"32".repeat(32)}`];
const GRANTED = "fake-wallet-granted";

const provider = new FakeProvider(SECRETS, granted());
const request = provider.request.bind(provider);
// A real extension remembers over a reload which page may see its accounts.
provider.request = async (call) => {
  const answer = await request(call);
  if (call.method === "eth_requestAccounts") window.sessionStorage.setItem(GRANTED, "1");
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
    return window.sessionStorage.getItem(GRANTED) !== null;
  } catch {
    return false; // about:blank
  }
}
