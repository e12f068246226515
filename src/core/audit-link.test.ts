import fc from "fast-check";
import { expect, test } from "vitest";
import { readAuditLink, writeAuditLink, MAX_LINK, type AuditLink } from "./audit-link.ts";
import type { Ref } from "./values.ts";

const HEX = "0123456789abcdef";
const hex = (length: number) =>
  fc
    .array(fc.constantFrom(...HEX), { minLength: length, maxLength: length })
    .map((digits) => digits.join(""));
const session = fc
  .tuple(hex(40), fc.nat(), hex(64))
  .map(([wallet, seq, hash]): Ref => `0x${wallet}:${seq}:0x${hash}`);
const links: fc.Arbitrary<AuditLink> = fc.record({
  session,
  hubs: fc.array(
    fc.constantFrom("https://hub.example", "http://127.0.0.1:8787/x/", "https://a.example:1/é"),
    {
      maxLength: 2,
    },
  ),
  verdict: fc.option(
    hex(64).map((digits) => `0x${digits}` as const),
    { nil: undefined },
  ),
  key: fc.option(fc.uint8Array({ minLength: 32, maxLength: 32 }), { nil: undefined }),
  heads: fc.option(
    fc.record({
      counts: fc.array(fc.nat(100_000), { minLength: 1, maxLength: 128 }),
      hash: hex(64).map((digits) => `0x${digits}` as const),
    }),
    { nil: undefined },
  ),
  witnesses: fc.option(
    fc.array(
      hex(40).map((digits) => `0x${digits}` as const),
      { minLength: 1, maxLength: 8 },
    ),
    { nil: undefined },
  ),
  state: fc
    .array(fc.tuple(fc.constantFrom("entry", "cut", "by", "tab", "type"), fc.string({ maxLength: 40 })), {
      maxLength: 4,
    })
    .map((pairs) => new Map(pairs)),
});

test("a link reads as it was written, from any host", () => {
  fc.assert(
    fc.property(links, (link) => {
      const written = writeAuditLink(link);
      if (!written.ok) throw new Error(written.code);
      expect(readAuditLink(`https://any.example/app/${written.hash}`)).toEqual({ ok: true, ...link });
      expect(written.hash.length).toBeLessThanOrEqual(MAX_LINK);
    }),
  );
});

test("a link that lost its end is refused, wherever it was cut behind the session id", () => {
  fc.assert(
    fc.property(links, fc.nat(), (link, at) => {
      const written = writeAuditLink({ ...link, hubs: ["https://hub.example"] });
      if (!written.ok) throw new Error(written.code);
      const head = written.hash.indexOf("?") + 1;
      const cut = head + 1 + (at % (written.hash.length - head - 1));
      expect(readAuditLink(written.hash.slice(0, cut))).toMatchObject({ ok: false });
    }),
  );
});

test("every other kind of damage is refused as well, whatever the link says", () => {
  const kinds: readonly (readonly [string, (link: string, at: number) => string])[] = [
    ["a dot at the end", (link) => `${link}.`],
    ["a bracket and a dot at the end", (link) => `${link}).`],
    ["dots in the middle", (link, at) => `${link.slice(0, at)}…${link.slice(at + 9)}`],
    ["[…] in the middle", (link, at) => `${link.slice(0, at)}[…]${link.slice(at + 9)}`],
    ["a piece left out", (link, at) => link.slice(0, at) + link.slice(at + 5)],
    ["a piece twice", (link, at) => link.slice(0, at) + link.slice(at - 5)],
    ["a space in it", (link, at) => `${link.slice(0, at)} ${link.slice(at)}`],
    ["a line break in it", (link, at) => `${link.slice(0, at)}\n${link.slice(at)}`],
    ["encoded once more", (link) => encodeURIComponent(link)],
    ["another digit", (link, at) => link.slice(0, at) + (link[at] === "7" ? "8" : "7") + link.slice(at + 1)],
  ];
  fc.assert(
    fc.property(links, fc.nat(), fc.constantFrom(...kinds), (link, where, [kind, damage]) => {
      const written = writeAuditLink(link);
      if (!written.ok) throw new Error(written.code);
      const whole = `https://any.example/${written.hash}`;
      // Behind the session id's first digits, so that what is damaged is the link's content and not the host.
      const start = whole.indexOf("#/s/") + 12;
      const at = start + (where % (whole.length - start - 6));
      const damaged = damage(whole, at);
      fc.pre(damaged !== whole);
      const read = readAuditLink(damaged);
      expect([kind, damaged, read.ok]).toEqual([kind, damaged, false]);
    }),
    { numRuns: 600 },
  );
});

const id = `0x${"ab".repeat(20)}:7:0x${"cd".repeat(32)}` as Ref;
const written = writeAuditLink({
  session: id,
  hubs: ["https://hub.example"],
  verdict: `0x${"12".repeat(32)}`,
  state: new Map(),
});
const whole = written.ok ? `https://app.example/${written.hash}` : "";

test.each([
  ["a dot at the end", `${whole}.`, "damaged"],
  ["a dot after the session id", `https://app.example/#/s/${id}.`, "bad-session"],
  ["three dots in the middle", whole.replace("cdcd", "[...]"), "shortened"],
  ["an ellipsis in the middle", whole.replace("cdcd", "[…]"), "shortened"],
  ["three dots at the end", `${whole.slice(0, -9)}...`, "shortened"],
  ["one digit short", `https://app.example/#/s/${id.slice(0, -1)}`, "bad-session"],
  ["upper case", `https://app.example/#/s/${id.toUpperCase()}`, "bad-session"],
  ["encoded as a whole", encodeURIComponent(whole), "encoded"],
  ["an encoded session id", whole.replace(/(0x[0-9a-f]+):7:/, "$1%3A7%3A"), "encoded"],
  ["another digit in the verdict", whole.replace("1212", "1213"), "damaged"],
  ["a hub that is no web address", `#/s/${id}?hub=javascript:alert(1)`, "bad-hub"],
  ["a verdict that is no hash", `#/s/${id}?v=0x12`, "bad-verdict"],
  ["a key that is no key", `#/s/${id}?k=AAAA`, "bad-key"],
  ["a parameter twice", `#/s/${id}?v=0x${"1".repeat(64)}&v=0x${"2".repeat(64)}`, "bad-parameter"],
  ["a parameter without a value", `#/s/${id}?v`, "bad-parameter"],
  ["two question marks", `#/s/${id}?v=1?k=2`, "bad-parameter"],
  ["a bad escape", `#/s/${id}?tab=%ZZ`, "bad-parameter"],
  ["text that is no link", "hello", "not-a-link"],
  ["too long", `#/s/${id}?tab=${"x".repeat(2000)}`, "too-long"],
])("refused: %s", (_name, text, code) => {
  expect(readAuditLink(text)).toMatchObject({ ok: false, code });
});

test("a link as the protocol has it, without a check, is read", () => {
  const verdict = `0x${"1".repeat(64)}` as const;
  const link = `#/s/${id}?hub=${encodeURIComponent("https://hub.example")}&v=${verdict}`;
  expect(readAuditLink(link)).toMatchObject({
    ok: true,
    session: id,
    hubs: ["https://hub.example"],
    verdict,
  });
  expect(readAuditLink(`#/s/${id}`)).toMatchObject({ ok: true, session: id, hubs: [] });
});

test("eight of many witnesses are written; what is no list of addresses is refused", () => {
  const session: Ref = `0x${"a1".repeat(20)}:0:0x${"b2".repeat(32)}`;
  const witnesses = Array.from({ length: 127 }, (_, i) => `0x${i.toString(16).padStart(40, "0")}` as const);
  const link = writeAuditLink({ session, hubs: [], witnesses, state: new Map() });
  if (!link.ok) throw new Error(link.code);
  expect(readAuditLink(link.hash)).toMatchObject({ ok: true, witnesses: witnesses.slice(0, 8) });
  for (const w of ["", "AAAA", "A".repeat(26), "!".repeat(27), "A".repeat(243)])
    expect(readAuditLink(`#/s/${session}?w=${w}`)).toMatchObject({ ok: false, code: "bad-witnesses" });
});
