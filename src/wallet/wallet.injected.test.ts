// Wallets in the browser: found as they announce themselves, pinned to an account, every disguise of a refusal
// understood, nothing waited for without an end.

import { describe, expect, test, vi } from "vitest";
import { FAKE_INFO, FakeProvider, type FakeManner } from "../testing/fake-provider.ts";
import { AnnouncedWallets, readAnnouncement } from "./announced-providers.ts";
import { WalletError } from "./wallet-error.ts";
import { grantedAccounts, injectedWallet, requestAccounts, type Eip1193Provider } from "./wallet.injected.ts";
import { addressOfSecret, localWallet, type SecretHex } from "./wallet.local.ts";
import { walletContract } from "./wallet.contract.ts";

const SECRET: SecretHex = `0x${"11".repeat(32)}`;
const OTHER: SecretHex = `0x${"22".repeat(32)}`;
const address = addressOfSecret(SECRET);
const good = (text: string) => localWallet(SECRET).signTextNow(text);

function made(manner: FakeManner = "honest") {
  const provider = new FakeProvider([SECRET, OTHER], true);
  provider.manner = manner;
  return { provider, wallet: injectedWallet(provider, address) };
}

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "no error",
    (error: unknown) => (error instanceof WalletError ? error.code : String(error)),
  );

/** Lets promises go on until nothing moves any more. */
async function settle(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve();
}

for (const manner of ["honest", "low-v", "upper-case"] satisfies FakeManner[])
  walletContract(`injected, ${manner}`, async () => made(manner).wallet);

describe("signing", () => {
  test("the wallet gets the hex of the UTF-8 and the pinned address", async () => {
    const seen: unknown[] = [];
    const provider: Eip1193Provider = {
      request: async (call) => {
        seen.push(call);
        return call.method === "eth_accounts" ? [address] : good("0x12 é");
      },
    };
    await injectedWallet(provider, address).signText("0x12 é");
    expect(seen.at(-1)).toEqual({ method: "personal_sign", params: ["0x3078313220c3a9", address] });
  });

  test.each([
    ["declines", "refused"],
    ["declines-by-name", "refused"],
    ["declines-nested", "refused"],
    ["declines-as-internal", "refused"],
    ["throws-at-once", "refused"],
    ["request-open", "pending-request"],
    ["signs-with-other", "wrong-signer"],
    ["nonsense", "bad-signature"],
    ["disconnected", "disconnected"],
    ["chain-disconnected", "disconnected"],
    ["unauthorized", "disconnected"],
  ] satisfies [FakeManner, string][])("%s → %s, and the next attempt works", async (manner, code) => {
    const { provider, wallet } = made();
    provider.next.push(manner);
    expect(await codeOf(wallet.signText("text"))).toBe(code);
    expect(await wallet.signText("text")).toBe(good("text"));
  });

  test("a locked wallet is not asked for a signature", async () => {
    const { provider, wallet } = made();
    provider.locked = true;
    expect(await codeOf(wallet.signText("text"))).toBe("disconnected");
    expect(provider.asked).toEqual([]);
  });

  test("the same text asked for while it is open opens no second window", async () => {
    const { provider, wallet } = made("hangs");
    const both = [wallet.signText("text"), wallet.signText("text")];
    await settle();
    expect(provider.asked).toEqual(["text"]);
    provider.answer();
    expect(await Promise.all(both)).toEqual([good("text"), good("text")]);
    provider.manner = "honest";
    await wallet.signText("text");
    expect(provider.asked).toEqual(["text", "text"]);
  });
});

describe("a wallet that never answers", () => {
  test("what it is asked for is shown until it has answered, or nobody waits", async () => {
    const { provider, wallet } = made("hangs");
    const seen: (readonly string[])[] = [];
    const stop = wallet.onState(() => seen.push(wallet.asking));
    const first = codeOf(wallet.signText("one"));
    const second = wallet.signText("two");
    await settle();
    expect(wallet.asking).toEqual(["one", "two"]);
    provider.answer();
    await second;
    await settle();
    expect([await first, wallet.asking, seen.at(-1)]).toEqual(["no error", [], []]);
    const third = codeOf(wallet.signText("three"));
    await settle();
    wallet.giveUp();
    expect([await third, wallet.asking]).toEqual(["no-answer", []]);
    stop();
  });

  test("is given up; asked again, the open request is waited for", async () => {
    const { provider, wallet } = made("hangs");
    const first = codeOf(wallet.signText("text"));
    await settle();
    wallet.giveUp();
    expect(await first).toBe("no-answer");
    const second = wallet.signText("text");
    await settle();
    expect(provider.asked).toEqual(["text"]);
    provider.answer();
    expect(await second).toBe(good("text"));
  });

  test("is given up and answers all the same: asked again, that answer is taken, and only once", async () => {
    const { provider, wallet } = made("hangs");
    const first = codeOf(wallet.signText("text"));
    await settle();
    wallet.giveUp();
    expect(await first).toBe("no-answer");
    provider.answer();
    await settle();
    provider.manner = "honest";
    expect(await wallet.signText("text")).toBe(good("text"));
    expect(provider.asked).toEqual(["text"]);
    await settle();
    expect(await wallet.signText("text")).toBe(good("text"));
    expect(provider.asked).toEqual(["text", "text"]);
  });

  test("is given up and declines later: asked again, it is asked anew", async () => {
    const { provider } = made();
    const declining: (() => void)[] = [];
    const slow: Eip1193Provider = {
      request: (call) =>
        call.method === "personal_sign" && declining.length === 0
          ? new Promise((_, reject) => {
              declining.push(() => reject(Object.assign(new Error("no"), { code: 4001 })));
            })
          : provider.request(call),
    };
    const asked = injectedWallet(slow, address);
    const first = codeOf(asked.signText("text"));
    await settle();
    asked.giveUp();
    expect(await first).toBe("no-answer");
    declining[0]?.();
    await settle();
    expect(await asked.signText("text")).toBe(good("text"));
  });

  test("not even to the question which accounts it has", async () => {
    const wallet = injectedWallet({ request: () => new Promise(() => undefined) }, address);
    const signing = codeOf(wallet.signText("text"));
    await settle();
    wallet.giveUp();
    expect(await signing).toBe("no-answer");
  });

  test("connecting can be given up as well", async () => {
    const { provider } = made("hangs");
    const abort = new AbortController();
    const connecting = codeOf(requestAccounts(provider, abort.signal));
    abort.abort();
    expect(await connecting).toBe("no-answer");
    expect(await codeOf(requestAccounts(provider, abort.signal))).toBe("no-answer");
  });

  test("disconnected in mid-flow: the wait ends, the request is asked for anew", async () => {
    const { provider, wallet } = made("hangs");
    const heard: boolean[] = [];
    wallet.onChange((usable) => heard.push(usable));
    const signing = codeOf(wallet.signText("text"));
    await settle();
    provider.disconnect();
    expect(await signing).toBe("disconnected");
    provider.manner = "honest";
    provider.reconnect();
    await settle();
    expect(heard).toEqual([false, true]);
    expect(await wallet.signText("text")).toBe(good("text"));
    expect(provider.asked).toHaveLength(2);
  });
});

describe("the account", () => {
  test("is asked for, in any case of letters, and found again without asking", async () => {
    const provider = new FakeProvider([SECRET, OTHER]);
    expect(await grantedAccounts(provider)).toEqual([]);
    expect(await requestAccounts(provider)).toEqual([address]);
    expect(await grantedAccounts(provider)).toEqual([address]);
  });

  test.each([[null], ["0x12"], [{}], [["nothing", 7, null, `${address}00`]]])(
    "what is no list of addresses gives none: %j",
    async (answer) => {
      expect(await grantedAccounts({ request: async () => answer })).toEqual([]);
    },
  );

  test("declining to connect is declining", async () => {
    const { provider } = made("declines");
    expect(await codeOf(requestAccounts(provider))).toBe("refused");
  });

  test("switched: refused without a window, said to listeners; switched back it signs", async () => {
    const { provider, wallet } = made();
    const heard: boolean[] = [];
    wallet.onChange((usable) => heard.push(usable));
    provider.switchTo(1);
    expect(wallet.usable).toBe(false);
    expect(await codeOf(wallet.signText("text"))).toBe("switched-account");
    expect(provider.asked).toEqual([]);
    provider.switchTo(0);
    expect(await wallet.signText("text")).toBe(good("text"));
    expect(heard).toEqual([false, true]);
  });

  test("switched while its window is open: listeners hear it, the right signature still counts", async () => {
    const { provider, wallet } = made("hangs");
    const signing = wallet.signText("text");
    await settle();
    provider.switchTo(1);
    expect(wallet.usable).toBe(false);
    provider.answer();
    expect(await signing).toBe(good("text"));
  });

  test("nonsense in the event counts as no account", () => {
    const { provider, wallet } = made();
    provider.emit("accountsChanged", { length: 1 });
    expect(wallet.usable).toBe(false);
  });

  test("a closed wallet listens no more", () => {
    const { provider, wallet } = made();
    const heard = vi.fn();
    wallet.onChange(heard);
    wallet.close();
    provider.switchTo(1);
    expect(heard).not.toHaveBeenCalled();
  });
});

describe("announcements", () => {
  const provider = new FakeProvider([SECRET]);
  const detail = (info: object = {}) => ({ info: { ...FAKE_INFO, ...info }, provider });

  test("those there before and those that come late, one for a uuid, the first one", () => {
    const page = new EventTarget();
    const early = new FakeProvider([SECRET]);
    early.announce(page);
    const wallets = new AnnouncedWallets(page);
    const heard = vi.fn();
    wallets.subscribe(heard);
    expect(wallets.getSnapshot().map(({ name }) => name)).toEqual(["Fake Wallet"]);
    new FakeProvider([OTHER]).announce(page, { ...FAKE_INFO, name: "Impostor" });
    new FakeProvider([OTHER]).announce(page, { ...FAKE_INFO, uuid: "late", name: "Late" });
    early.announce(page);
    expect(wallets.getSnapshot().map(({ name }) => name)).toEqual(["Fake Wallet", "Late"]);
    expect(wallets.getSnapshot()[0]!.provider).toBe(early);
    expect(heard).toHaveBeenCalledTimes(1);
    wallets.close();
    new FakeProvider([OTHER]).announce(page, { ...FAKE_INFO, uuid: "later" });
    expect(wallets.getSnapshot()).toHaveLength(2);
  });

  test("a page is not flooded", () => {
    const page = new EventTarget();
    const wallets = new AnnouncedWallets(page);
    for (let i = 0; i < 1000; i++) provider.announce(page, { ...FAKE_INFO, uuid: `${i}` })();
    expect(wallets.getSnapshot()).toHaveLength(32);
  });

  test.each([
    ["https", "https://example.org/icon.png"],
    ["javascript", "javascript:alert(1)"],
    ["html", "data:text/html,<script>alert(1)</script>"],
    ["no text", 7],
    ["huge", `data:image/png;base64,${"A".repeat(300_000)}`],
  ])("an icon that is no small image is left out: %s", (_, icon) => {
    expect(readAnnouncement(detail({ icon }))).toMatchObject({ name: FAKE_INFO.name, icon: null });
  });

  test("an image is kept, an SVG too: it is only ever shown as an image", () => {
    expect(readAnnouncement(detail())?.icon).toBe(FAKE_INFO.icon);
  });

  test.each([
    ["nothing", undefined],
    ["null", null],
    ["no info", { provider }],
    ["no provider", { info: FAKE_INFO }],
    ["a provider that cannot be asked", { info: FAKE_INFO, provider: { request: 7 } }],
    ["a name that is none", detail({ name: "" })],
    ["a name of a thousand letters", detail({ name: "x".repeat(1000) })],
    ["a uuid that is no text", detail({ uuid: {} })],
    [
      "a trap",
      {
        get info() {
          throw new Error("trap");
        },
      },
    ],
  ])("%s is no announcement", (_, announced) => {
    expect(readAnnouncement(announced)).toBeUndefined();
  });
});
