import { expect, test } from "vitest";
import { readConfig, readHost, urlOf } from "./host-config.ts";

const PAGE = "https://coop.example/app/";
const bot = `0x${"a1".repeat(20)}`;
const answer = (ok: boolean, text: string) => async () => ({ ok, text: async () => text });

test("a host's config, its paths made whole", async () => {
  const text = JSON.stringify({ hub: "/", relay: "/relay", bot: { address: bot, games: ["rps", 7] } });
  expect(await readHost(answer(true, text), PAGE)).toEqual({
    kind: "hosted",
    config: {
      hub: "https://coop.example",
      relay: "wss://coop.example/relay",
      bot: { address: bot, games: ["rps"] },
    },
  });
});

test.each([
  ["no such file", answer(false, ""), "alone"],
  ["a page served for every path", answer(true, "<!doctype html>"), "alone"],
  ["a list", answer(true, "[]"), "alone"],
  ["a host that does not answer", () => Promise.reject(new Error("refused")), "unreachable"],
] as const)("%s", async (_name, fetch, kind) => expect((await readHost(fetch, PAGE)).kind).toBe(kind));

test("a page on disk asks nobody", async () => {
  const found = await readHost(() => Promise.reject(new Error("asked")), "file:///tmp/index.html");
  expect(found.kind).toBe("alone");
});

test("a config in the page is taken without a request; one that cannot be read is asked for", async () => {
  const refuse = () => Promise.reject(new Error("asked"));
  const found = await readHost(refuse, PAGE, '{"hub":"./","relay":"relay","bot":null}');
  expect(found).toEqual({
    kind: "hosted",
    config: { hub: "https://coop.example/app", relay: "wss://coop.example/app/relay", bot: null },
  });
  expect((await readHost(answer(true, '{"hub":"/"}'), PAGE, "no config")).kind).toBe("hosted");
});

test("what is malformed in a config is not there", () => {
  expect(readConfig('{"hub":7,"relay":"","bot":{"address":"0x12"}}', PAGE)).toEqual({
    hub: null,
    relay: null,
    bot: null,
  });
});

test.each([
  ["/", false, "https://coop.example"],
  ["http://127.0.0.1:8080/", false, "http://127.0.0.1:8080"],
  ["ftp://x.example", false, null],
  ["javascript:alert(1)", false, null],
  ["", false, null],
  ["ws://x.example/relay", true, "ws://x.example/relay"],
  ["http://x.example/relay", true, "ws://x.example/relay"],
] as const)("%s as an address", (value, socket, url) => expect(urlOf(value, PAGE, socket)).toBe(url));
