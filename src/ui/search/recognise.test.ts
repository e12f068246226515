import fc from "fast-check";
import { expect, test } from "vitest";
import { writeAuditLink } from "../../core/audit-link.ts";
import { writeBundle } from "../../core/bundle.ts";
import { parseJson } from "../../core/canonical.ts";
import { finish } from "../../core/steps.ts";
import { checksumAddress, type Address, type Hash, type Ref } from "../../core/values.ts";
import { recognise, type Recognised } from "./recognise.ts";
import { splitSteps } from "./split-json.ts";
import sessions from "../../../public/vectors/sessions.json" with { type: "json" };

const [vector] = sessions;
const session = vector!.session as Ref;
const records = vector!.records;
const [wallet, , genesisHash] = session.split(":") as [Address, string, Hash];
const genesis = records.find((r) => r.includes('"type":"genesis"'))!;
const move = records.find((r) => r.includes('"type":"commit"'))!;
const mixed = checksumAddress(wallet);
const upper = `0x${wallet.slice(2).toUpperCase()}`;
const wrongCase = mixed.replace(/[a-zA-Z]/g, (c, i: number) =>
  i > 1 && i < 8 ? (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()) : c,
);
const link = writeAuditLink({
  session,
  hubs: ["https://hub.example"],
  verdict: genesisHash,
  state: new Map(),
});
const audit = link.ok ? link.hash : "";
const other: Hash = `0x${"ab".repeat(32)}`;
const seen = (hash: Hash) => (hash === genesisHash ? session : undefined);

type Want =
  | "nothing"
  | { ref: Ref }
  | { route: string }
  | { sessions: readonly Ref[]; count: number }
  | { entry: true }
  | { why: RegExp };

const table: readonly (readonly [string, string, Want])[] = [
  ["nothing at all", "", "nothing"],
  ["white space only", " \n\t ", "nothing"],

  ["a session id", session, { ref: session }],
  ["a session id with white space around it", `\n  ${session} \n`, { ref: session }],
  ["an entry's ref", `${wallet}:12:${other}`, { ref: `${wallet}:12:${other}` }],
  [
    "a ref at the greatest seq",
    `${wallet}:9007199254740991:${other}`,
    { ref: `${wallet}:9007199254740991:${other}` },
  ],
  ["a ref beyond the greatest seq", `${wallet}:9007199254740992:${other}`, { why: /no place in a log/ }],
  ["a ref with a leading zero", `${wallet}:01:${other}`, { why: /no place in a log/ }],
  ["a ref with a negative seq", `${wallet}:-1:${other}`, { why: /no place in a log/ }],
  ["a ref without its hash", `${wallet}:0`, { why: /three parts/ }],
  ["a ref with four parts", `${session}:0`, { why: /three parts/ }],
  ["a ref with its hash one digit short", session.slice(0, -1), { why: /1 digit short/ }],
  ["a ref with its hash cut in half", session.slice(0, -32), { why: /32 digits short/ }],
  ["a ref with one digit too many", `${session}0`, { why: /1 digit too many/ }],
  [
    "a ref with its address one digit short",
    session.replace("0x", "0x").replace(wallet, wallet.slice(0, -1)),
    { why: /address .* 1 digit short/ },
  ],
  ["a ref with a mixed-case address", session.replace(wallet, mixed), { why: /capital letters/ }],
  ["a ref in capitals", `${upper}:0:${other}`, { why: /capital letters/ }],
  ["a ref with a full stop at its end", `${session}.`, { why: /“\.”|too many/ }],
  ["a ref with a comma at its end", `${session},`, { why: /“,”/ }],
  ["a ref shortened with an ellipsis", `${wallet}:0:0x7d91…b49e`, { why: /shortened in the middle/ }],
  ["a ref shortened with […]", `${wallet}:0:0x7d91[…]b49e`, { why: /shortened in the middle/ }],
  ["a ref shortened with dots", `${wallet}:0:0x7d91...b49e`, { why: /shortened in the middle/ }],
  ["a percent-encoded ref", session.replaceAll(":", "%3A"), { why: /percent-encoded/ }],
  ["a ref with a space in it", session.replace(":0:", ": 0:"), { why: /space/ }],
  ["a ref broken over two lines", session.replace(":0:", ":0:\n"), { why: /space or a line break/ }],
  ["a ref with a zero-width space", session.replace(":0:", ":0\u200b:"), { why: /U\+200B/ }],
  ["a ref with an override", `\u202e${session}`, { why: /U\+202E/ }],
  ["a ref with a letter that looks like a digit", session.replace("0x7d", "0x7О"), { why: /“О”|digit/ }],
  ["a ref in quotes", `"${session}"`, { why: /no session id/ }],

  ["an address in lower case", wallet, { route: `#/w/${wallet}` }],
  ["an address in upper case", upper, { route: `#/w/${wallet}` }],
  ["an address with its checksum", mixed, { route: `#/w/${wallet}` }],
  ["an address with a wrong checksum", wrongCase, { why: /EIP-55/ }],
  ["an address one digit short", wallet.slice(0, -1), { why: /1 digit short of an address/ }],
  ["an address one digit long", `${wallet}0`, { why: /1 digit more than an address/ }],
  ["an address without 0x", wallet.slice(2), { why: /begins with 0x/ }],
  ["an address with 0X", `0X${wallet.slice(2)}`, { why: /0X/ }],
  ["an address with a full stop", `${wallet}.`, { why: /full stop/ }],
  ["an address with a letter that is no digit", `${wallet.slice(0, -1)}g`, { why: /no address|“g”/ }],
  ["an address shortened", "0xb6a1…3f80", { why: /shortened/ }],
  ["an address shortened with dots", "0xb6a1...3f80", { why: /shortened/ }],
  ["an account of chain 1", `eip155:1:${mixed}`, { route: `#/w/${wallet}` }],
  ["an account of another chain", `eip155:8453:${wallet}`, { route: `#/w/${wallet}` }],
  ["an account with a wrong checksum", `eip155:1:${wrongCase}`, { why: /EIP-55/ }],
  ["an account without its chain", `eip155:${wallet}`, { why: /eip155:<chain>/ }],
  ["an account of no chain", `eip155::${wallet}`, { why: /no number/ }],
  ["an account of a chain with a name", `eip155:main:${wallet}`, { why: /no number/ }],
  ["an account one digit short", `eip155:1:${wallet.slice(0, -1)}`, { why: /1 digit short/ }],
  ["an account of other chains", `cosmos:hub:${wallet}`, { why: /only eip155/ }],
  ["a name", "alice.eth", { why: /not looked up/ }],

  ["a bare hash that was seen", genesisHash, { ref: session }],
  ["a bare hash that was not seen", other, { why: /has not seen/ }],
  ["a bare hash in capitals", `0x${genesisHash.slice(2).toUpperCase()}`, { why: /lower case/ }],
  ["a bare hash one digit short", genesisHash.slice(0, -1), { why: /1 digit short of an entry hash/ }],
  ["a bare hash without 0x", genesisHash.slice(2), { why: /begins with 0x/ }],
  ["a signature", `0x${"ab".repeat(65)}`, { why: /signature/ }],
  ["0x alone", "0x", { why: /0 digits/ }],

  ["our link to a session", `https://coop.example/#/s/${session}`, { route: `#/s/${session}` }],
  [
    "our link from another host and path",
    `http://localhost:8080/a/b/?x=1#/s/${session}`,
    { route: `#/s/${session}` },
  ],
  ["our link from a file", `file:///tmp/report.html#/s/${session}`, { route: `#/s/${session}` }],
  ["the part behind the # alone", `#/s/${session}`, { route: `#/s/${session}` }],
  ["an audit link, as it was written", `https://coop.example/${audit}`, { route: audit }],
  [
    "an audit link of the protocol, without a check",
    `https://x.example/#/s/${session}?hub=https://h.example&v=${other}`,
    { route: `#/s/${session}?hub=https://h.example&v=${other}` },
  ],
  ["an audit link cut by one character", `https://coop.example/${audit.slice(0, -1)}`, { why: /cut/ }],
  [
    "an audit link cut at its question mark",
    `https://coop.example/${audit.slice(0, audit.indexOf("?") + 1)}c=`,
    { why: /cut|damaged/ },
  ],
  [
    "an audit link with a full stop at its end",
    `https://coop.example/${audit}.`,
    { why: /cut or changed|whole/ },
  ],
  [
    "an audit link with […] in it",
    `https://coop.example/${audit.slice(0, 60)}[…]${audit.slice(90)}`,
    { why: /shortened/ },
  ],
  [
    "an audit link with another digest",
    `https://coop.example/${audit.replace(genesisHash.slice(-4), "0000")}`,
    { why: /./ },
  ],
  ["an audit link with its digest short", `https://x.example/#/s/${session}?v=0x12`, { why: /digest/ }],
  [
    "an audit link with a Hub of another kind",
    `https://x.example/#/s/${session}?hub=javascript:alert(1)`,
    { why: /http or https/ },
  ],
  [
    "a link whose session is cut",
    `https://coop.example/#/s/${session.slice(0, -3)}`,
    { why: /3 digits short/ },
  ],
  ["a link whose # is percent-encoded", `https://coop.example/%23/s/${session}`, { why: /percent-encoded/ }],
  ["a link without a #", "https://coop.example/", { why: /behind the #/ }],
  ["a link with two #", `https://coop.example/#/s/${session}#x`, { why: /two #/ }],
  ["a link to the start page", "https://coop.example/#/", { why: /start page/ }],
  ["a link to a wallet", `https://coop.example/#/w/${mixed}`, { route: `#/w/${mixed}` }],
  ["a link to a wallet with a wrong checksum", `https://coop.example/#/w/${wrongCase}`, { why: /EIP-55/ }],
  ["a link to a board", `https://coop.example/#/s/${session}/play`, { route: `#/s/${session}/play` }],
  ["an invitation", `https://coop.example/#/join/${session}`, { route: `#/join/${session}` }],
  ["a cut invitation", `https://coop.example/#/join/${session.slice(0, -1)}`, { why: /1 digit short/ }],
  ["a link to no page", "https://coop.example/#/nothing", { why: /no such page/ }],
  ["a link with more parts", `https://coop.example/#/s/${session}/play/x`, { why: /more parts/ }],
  ["somebody else's link", "https://news.example/article#comments", { why: /begins with #\// }],
  ["a javascript: link", `javascript:alert(1)#/s/${session}`, { why: /javascript:/ }],
  ["a data: link", `data:text/html,x#/s/${session}`, { why: /data:/ }],
  ["a link in angle brackets", `<https://coop.example/#/s/${session}>`, { why: /digit/ }],

  ["a genesis", genesis, { sessions: [session], count: 1 }],
  ["a move", move, { entry: true }],
  ["a list of entries", `[${records.join(",")}]`, { sessions: [session], count: records.length }],
  [
    "a list of entries over many lines",
    `[\n  ${records.join(",\n  ")}\n]`,
    { sessions: [session], count: records.length },
  ],
  ["a list of wire forms", JSON.stringify(records), { sessions: [session], count: records.length }],
  ["an entry a line", records.join("\n"), { sessions: [session], count: records.length }],
  [
    "a list with one of them damaged",
    `[${records.join(",")},{"no":"entry"}]`,
    { sessions: [session], count: records.length + 1 },
  ],
  [
    "a list of moves without a genesis",
    `[${records.filter((r) => r !== genesis).join(",")}]`,
    { why: /no session/ },
  ],
  ["a list of nothing", "[]", { why: /nothing in it/ }],
  ["a list of numbers", "[1,2]", { why: /nothing in it/ }],
  ["a bundle", writeBundle(session, records), { sessions: [session], count: records.length }],
  [
    "a bundle with CR LF",
    writeBundle(session, records).replaceAll("\n", "\r\n"),
    { sessions: [session], count: records.length },
  ],
  ["a bundle without records", writeBundle(session, []), { why: /no records/ }],
  ["a bundle that names no session", '{"format":"coop-bundle/1"}\n{}', { why: /names no session/ }],
  [
    "a bundle of a later format",
    `{"format":"coop-bundle/9","session":"${session}"}\n{}`,
    { why: /another format/ },
  ],
  ["an entry with white space in it", genesis.replace('"seq":0', '"seq": 0'), { why: /canonically/ }],
  ["an entry with a field too many", genesis.replace('"seq":0', '"seq":0,"x":1'), { why: /bad-shape/ }],
  ["an entry that was cut", genesis.slice(0, -20), { why: /does not parse/ }],
  ["an object that is no entry", '{"a":1}', { why: /no entry/ }],
  [
    "two sessions at once",
    `[${genesis},${sessions.find((s) => s.session !== session && s.records.some((r) => r.includes('"type":"genesis"')))!.records.join(",")}]`,
    { sessions: [], count: -1 },
  ],

  ["a word", "rock", { why: /no session id/ }],
  ["markup", "<img src=x onerror=alert(1)>", { why: /space/ }],
  ["a question mark", "?", { why: /no session id/ }],
];

test.each(table)("search: %s", (_name, input, want) => {
  const found = recognise(input, seen);
  if (want === "nothing") expect(found).toEqual({ kind: "nothing" });
  else if ("ref" in want) expect(found).toMatchObject({ kind: "ref", ref: want.ref });
  else if ("route" in want) expect(found).toMatchObject({ kind: "route", route: want.route });
  else if ("entry" in want) expect(found).toMatchObject({ kind: "records", sessions: [], records: [input] });
  else if ("why" in want) expect(whyOf(found)).toMatch(want.why);
  else if (want.count >= 0) {
    expect(found).toMatchObject({ kind: "records", sessions: want.sessions });
    expect(found.kind === "records" && found.records.length).toBe(want.count);
  } else expect(found.kind === "records" && found.sessions.length).toBeGreaterThan(1);
});

test("the table of search has over 80 inputs", () => expect(table.length).toBeGreaterThan(80));

const split = (text: string) => finish(splitSteps(text));

test("a list is cut without changing a byte", () => {
  const items = ['{"a": [1, "]"] }', '"x,\\"y"', "[ 1,2 ]", "null"];
  expect(split(`[ ${items.join(" ,\n")} ]`)).toEqual(items);
  expect(split("[]")).toEqual([]);
  expect(split(" [ ] ")).toEqual([]);
  for (const cut of ["[", "[1", "[1,", "[1,]", "[,1]", "[1]2", "[[1]", '["]', "x[1]"])
    expect(split(cut)).toBeUndefined();
});

test("a text is taken for a list exactly if it parses as one, whatever was changed in it", () => {
  const whole = `[${records.slice(0, 2).join(", ")}, "a\\"]", [1,{"b":[]}] ]`;
  const change = fc.tuple(
    fc.nat(whole.length - 1),
    fc.constantFrom("", "[", "]", "{", "}", ",", '"', "\\", " ", "1"),
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 2 }), (changes) => {
      let text = whole;
      for (const [at, by] of changes) text = text.slice(0, at) + by + text.slice(at + 1);
      const items = text.startsWith("[") ? split(text) : undefined;
      const value = parseJson(text, Infinity);
      const each = items?.map((item) => parseJson(item, Infinity));
      expect(each?.every((item) => item !== undefined) === true ? each : undefined).toEqual(
        Array.isArray(value) ? value : undefined,
      );
    }),
    { numRuns: 2_000 },
  );
});

test("a list that was cut anywhere is said to be cut", () => {
  const list = `[${records.join(",")}]`;
  for (let end = 1; end < list.length; end += 7)
    expect(whyOf(recognise(list.slice(0, end)))).toMatch(/may have been cut/);
  expect(whyOf(recognise(list.replace('"seq":0', '"seq":')))).toMatch(/may have been cut/);
});

test("one entry in a list is that entry", () => {
  const found = recognise(`[${move}]`);
  expect(found).toMatchObject({
    kind: "records",
    sessions: [],
    entry: recognised(move).entry,
    records: [move],
  });
});

function recognised(text: string) {
  const found = recognise(text);
  if (found.kind !== "records") throw new Error(found.kind);
  return found;
}

test("every single-character cut of an audit link is refused or is the bare session", () => {
  for (let end = audit.length - 1; end > "#/s/".length; end--) {
    const found = recognise(`https://coop.example/${audit.slice(0, end)}`);
    if (found.kind === "route") expect([`#/s/${session}`, `#/s/${session}?`]).toContain(found.route);
    else expect(found.kind).toBe("refused");
  }
});

function whyOf(found: Recognised): string {
  return found.kind === "refused" ? found.why : `recognised as ${found.kind}`;
}

test("two bundles after one another are records of both sessions", () => {
  const second: Ref = `0x${"cd".repeat(20)}:1:0x${"ef".repeat(32)}`;
  const found = recognise(writeBundle(session, records) + writeBundle(second, [move]));
  expect(found).toMatchObject({ kind: "records", sessions: [session, second] });
  expect(found.kind === "records" && found.says).toContain("Bundles of 2 sessions");
});
