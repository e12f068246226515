import { expect, test } from "vitest";
import type { Ref } from "../../core/values.ts";
import { EMPTY_SIDE, parseHub, parseSide, readSide, swapSides, withSide, type Side } from "./sides.ts";

const session: Ref = `0x${"a1".repeat(20)}:0:0x${"b2".repeat(32)}`;
const side: Side = { session, hub: "https://hub.example", seen: `0x${"c3".repeat(20)}`, key: "abc" };

test("a side is read as it was written, and the other is left alone", () => {
  const params = withSide(withSide(new URLSearchParams(), "a", side), "b", { ...EMPTY_SIDE, session });
  expect(readSide(params, "a")).toEqual(side);
  expect(readSide(params, "b")).toEqual({ ...EMPTY_SIDE, session });
  expect(readSide(swapSides(params), "b")).toEqual(side);
  expect([...withSide(params, "a", EMPTY_SIDE).keys()]).toEqual(["b"]);
});

test("what is malformed counts as not given", () => {
  expect(readSide(new URLSearchParams("a=x&a-hub=ftp://h&a-seen=0x1"), "a")).toEqual(EMPTY_SIDE);
});

test("a session is typed as its id or as an audit link with its Hub and key", () => {
  expect(parseSide(` ${session}\n`)).toEqual({ ...EMPTY_SIDE, session });
  const key = "A".repeat(42) + "A";
  const link = `https://x.example/#/s/${session}?hub=https%3A%2F%2Fhub.example&k=${key}`;
  expect(parseSide(link)).toEqual({ session, hub: "https://hub.example", seen: null, key });
  expect(parseSide("")).toEqual(EMPTY_SIDE);
});

test.each([[session.slice(0, -1)], [`${session}.`], ["hello"], [`#/s/${session.slice(0, 50)}…`]])(
  "a near miss is refused with its reason: %s",
  (text) => expect(parseSide(text)).toHaveProperty("why"),
);

test("a Hub is an http address, or none", () => {
  expect(parseHub(" https://hub.example/ ")).toBe("https://hub.example");
  expect(parseHub("")).toBeNull();
  expect(parseHub("hub.example")).toHaveProperty("why");
});
