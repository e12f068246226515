// The Hub's part of the protocol, rule by rule (docs/protocol.md, On the Hub), as the client keeps it. The
// server's routes, statuses and error bodies are tested beside it.

import { describe, expect, test } from "vitest";
import { fromUtf8, utf8 } from "../core/bytes.ts";
import { parseRef, type Ref } from "../core/values.ts";
import { Drawing, walletOf } from "../testing/build.ts";
import { bucketOf, bucketReservedFor } from "./hub-api.ts";
import { MemoryStore } from "../server/hub-store.memory.ts";
import { startServer } from "../server/server.ts";
import { collectSession } from "../session/collect-session.ts";
import type { Signer } from "./hub.ts";
import { appendKey, mirrorKey } from "./log-keys.ts";
import { systemHubEnvironment } from "./hub-environment.ts";
import { HttpHub } from "./hub.http.ts";
import { MemoryHub } from "./hub.memory.ts";
import { readLog } from "./read-log.ts";
import { authorization, checkAuthorization, readSignIn, SignIns, signInText } from "./sign-in.ts";

const a = walletOf("a");
const b = walletOf("b");
const NOON = Date.UTC(2026, 0, 1, 12);
const PARTS = { domain: "hub.example", uri: "https://hub.example", nonce: "abcdefgh12345678" };

/** Two wallets' logs and a session in them, stored at a Hub. */
async function stored(): Promise<{ hub: MemoryHub; drawing: Drawing; session: Ref }> {
  const drawing = new Drawing()
    .genesis("g", "a", "a b")
    .commit("a1", "a", "rock")
    .commit("b0", "b", "paper", { sees: "a1" })
    .reveal("a2", "a", "rock", { sees: "b0" })
    .reveal("b1", "b", "paper", { sees: "a2" });
  const hub = new MemoryHub();
  for (const { wallet, seq, wire } of drawing.nodes.values())
    await hub.put(wallet === a.address ? a : b, appendKey(seq), utf8(wire));
  return { hub, drawing, session: drawing.node("g").ref };
}

async function logOf(hub: MemoryHub): Promise<string[]> {
  const records: string[] = [];
  for await (const { record } of readLog(hub, b.address)) records.push(record);
  return records;
}

describe("H1: the times and the host in a sign-in's text", () => {
  const base = signInText({ ...PARTS, address: a.address, issuedAt: NOON });
  const read = (text: string) => readSignIn(authorization(a.address, NOON, a.signTextNow(text), text));
  test("H1: the host is the text's domain, in lower case and without a scheme", () => {
    expect(read(base)).toMatchObject({ domain: "hub.example" });
    expect(read(`https://${base}`)).toMatchObject({ domain: "hub.example" });
    expect(read(base.replace("hub.example", "HUB.example:81"))).toMatchObject({ domain: "hub.example:81" });
  });
  test("H1: Expiration Time and Not Before hold where present", () => {
    expect(read(`${base}\nExpiration Time: 2001-01-01T00:00:00Z`)).toMatchObject({
      until: Date.UTC(2001, 0, 1),
    });
    expect(read(`${base}\nExpiration Time: 2099-01-01T00:00:00Z`)).toMatchObject({ until: NOON + 600_000 });
    expect(read(`${base}\nNot Before: 2026-01-01T12:00:01Z`)).toMatchObject({ from: NOON + 1_000 });
  });
  test.each([
    "Expiration Time: soon",
    "Not Before:",
    "Issued At: 2026-01-01T12:00:00Z",
    "Expiration Time: 2026-01-01",
  ])("H1: %s is refused", (line) => expect(read(`${base}\n${line}`)).toMatchObject({ ok: false }));
});

describe("H1: the sign-in", () => {
  const text = signInText({ ...PARTS, address: a.address, issuedAt: NOON });
  const header = authorization(a.address, NOON, a.signTextNow(text), text);
  test("H1: valid for 600 seconds to either side", () =>
    expect(checkAuthorization(header)).toEqual({
      ok: true,
      address: a.address,
      from: NOON - 600_000,
      until: NOON + 600_000,
    }));
  test("H1: one line of JSON over a text that names the address on a line of its own", () => {
    expect(header).not.toContain("\n");
    expect(text.split("\n")[1]!.toLowerCase()).toBe(a.address);
    expect(text).toContain("\nIssued At: 2026-01-01T12:00:00Z");
  });
  test("H1: not signed by the address that it names", () =>
    expect(checkAuthorization(authorization(b.address, NOON, a.signTextNow(text), text)).ok).toBe(false));
  test("E7, H1: an entry's signature is no sign-in", () => {
    const entry = new Drawing().genesis("g", "a", "a b").value("g");
    const { sig } = entry;
    expect(
      checkAuthorization(
        JSON.stringify({ Type: "personal_sign", Addr: a.address, Time: 1, Sign: sig, Msg: text }),
      ).ok,
    ).toBe(false);
  });
});

test("H2: one sign-in serves many writes, and is renewed before it ends", async () => {
  let asked = 0;
  let now = NOON;
  const signer: Signer = { address: a.address, signText: async (text) => (asked++, a.signTextNow(text)) };
  const signIns = new SignIns({
    domain: PARTS.domain,
    uri: PARTS.uri,
    now: () => now,
    nonce: () => PARTS.nonce,
  });
  await Promise.all([signIns.header(signer), signIns.header(signer)]);
  now += 60_000;
  await signIns.header(signer);
  expect(asked).toBe(1);
  now += 530_000; // ten seconds before the end
  await signIns.header(signer);
  expect(asked).toBe(2);
});

test("H3: the last value under owner and key counts, and anybody can read it", async () => {
  const hub = new MemoryHub();
  await hub.put(a, "key", utf8("one"));
  await hub.put(b, "key", utf8("b's"));
  await hub.put(a, "key", utf8("two"));
  expect(fromUtf8((await hub.get(a.address, "key"))!)).toBe("two");
});

test("H4: the bucket's name, and the next one where it is taken", () => {
  expect(bucketOf(a.address)).toBe(`coop-${a.address}`);
  expect(bucketOf(a.address, "0123abcd")).toBe(`coop-${a.address}-0123abcd`);
  expect(bucketReservedFor(bucketOf(a.address, "0123abcd"))).toBe(a.address);
  expect(bucketReservedFor(bucketOf(a.address).toUpperCase().replace("COOP-0X", "coop-0x"))).toBe(a.address);
  for (const other of ["coop-x", "coop-0x12", `x${bucketOf(a.address)}`])
    expect(bucketReservedFor(other)).toBeUndefined();
});

test("H5: entries lie under coop1_ and their seq in 20 digits, one conversation", async () => {
  expect(appendKey(7)).toBe("coop1_00000000000000000007");
  const { hub, drawing } = await stored();
  expect(await hub.page(b.address, "coop1", 0, 10)).toEqual([drawing.wire("b0"), drawing.wire("b1")]);
});

test("H6: copies outlive the log that they are of", async () => {
  const { hub, drawing, session } = await stored();
  const genesis = parseRef(session)!.hash;
  expect(mirrorKey(genesis, b.address, 1)).toBe(`mirror1.${genesis}_${b.address}.00000000000000000001`);
  for (const name of ["b0", "b1"]) {
    const { wallet, seq, wire } = drawing.node(name);
    await hub.put(a, mirrorKey(genesis, wallet, seq), utf8(wire));
  }
  // b rewrites its last entry: both versions are there now, which is the proof.
  drawing.tick("b1x", "b", { after: "b0" });
  await hub.put(b, appendKey(1), utf8(drawing.wire("b1x")));
  const { records } = await collectSession([hub], session);
  expect(drawing.showView({ records })).toEqual({ order: "a1 b0 a2", used: "a2 b2", faults: "b@1" });
});

test("H7: what comes back is told by its content, not by its key", async () => {
  const { hub, drawing } = await stored();
  await hub.put(b, "coop1_x", utf8(drawing.wire("a1"))); // another wallet's entry, under a key of the conversation
  expect(await logOf(hub)).toEqual([drawing.wire("b0"), drawing.wire("b1")]);
});

describe("H8: reading a log to its end", () => {
  test("H8: a key written twice comes twice and counts once", async () => {
    const { hub, drawing } = await stored();
    await hub.put(b, appendKey(0), utf8(drawing.wire("b0")));
    expect((await hub.page(b.address, "coop1", 0, 10)).length).toBe(3);
    expect(await logOf(hub)).toEqual([drawing.wire("b0"), drawing.wire("b1")]);
  });
  test("H8: a short page is not the end, and a hole is filled by its key", async () => {
    const { hub, drawing } = await stored();
    const page = hub.page.bind(hub);
    // Each page holds one text, and those of b0 are left out without a word.
    hub.page = async (owner, conversation, offset, length) => {
      const texts = await page(owner, conversation, offset, Math.min(length, 1));
      return texts.map((text) => (text === drawing.wire("b0") ? "" : text));
    };
    expect((await logOf(hub)).filter((text) => text !== "").sort()).toEqual(
      [drawing.wire("b0"), drawing.wire("b1")].sort(),
    );
  });
});

describe("H9: what is not there, without an error in a browser's console", () => {
  const absence = JSON.stringify({ Type: "NotFound", Message: "there is no such object" });

  test("H9: our Hub answers 200 where it is asked to, and 404 otherwise", async () => {
    const server = await startServer({ store: new MemoryStore() });
    try {
      const path = `${server.url}v1/buckets/b/objects/k/content?owner=${a.address}`;
      const [asked, plain] = [await fetch(`${path}&absent=200`), await fetch(path)];
      expect([asked.status, plain.status]).toEqual([200, 404]);
      for (const answer of [asked, plain]) {
        expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
        expect(await answer.json()).toEqual(JSON.parse(absence));
      }
      expect(await new HttpHub(server.url, systemHubEnvironment()).get(a.address, "k")).toBeNull();
    } finally {
      await server.close();
    }
  });

  test("H9: a stored value with those bytes is a value", async () => {
    const server = await startServer({ store: new MemoryStore() });
    try {
      const hub = new HttpHub(server.url, systemHubEnvironment());
      await hub.put(a, "k", utf8(absence));
      expect(fromUtf8((await hub.get(a.address, "k"))!)).toBe(absence);
    } finally {
      await server.close();
    }
  });
});
