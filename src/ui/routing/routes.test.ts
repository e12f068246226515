import { expect, test } from "vitest";
import type { Address, Ref } from "../../core/values.ts";
import { formatRoute, parseRoute, to } from "./routes.ts";

const wallet: Address = `0x${"a1".repeat(20)}`;
const session: Ref = `${wallet}:3:0x${"5e".repeat(32)}`;

test.each([
  ["", "home"],
  ["#", "home"],
  ["#/", "home"],
  [`#/s/${session}`, "session"],
  [`#/s/${session}?hub=https://h.example`, "session"],
  [`#/s/${session}/play`, "board"],
  [`#/embed/s/${session}`, "embed"],
  [`#/w/${wallet}`, "wallet"],
  ["#/play", "play"],
  ["#/play?game=rps", "play"],
  [`#/join/${session}`, "join"],
  [`#/compare?a=x&b=y`, "compare"],
  ["#/settings", "settings"],
])("%s is a route", (hash, page) => expect(parseRoute(hash).page).toBe(page));

test.each([
  ["#s"],
  ["#/s"],
  ["#/s/"],
  [`#/s/${session}x`],
  [`#/s/${session}/watch`],
  [`#/s/${session}?v=0x12`],
  [`#/s/${session}?hub=%zz`],
  [`#/s//${session}`],
  [`#//s/${session}`],
  ["#/w/0x12"],
  ["#/settings/keys"],
  ["#/embed/w/x"],
  ["#/constructor"],
  ["#/__proto__"],
])("%s is no route, and says why", (hash) => {
  const route = parseRoute(hash);
  expect(route.page).toBe("bad");
  expect(route.page === "bad" && route.why.length).toBeGreaterThan(10);
});

test("a route is written as it is read", () => {
  const params = new URLSearchParams([
    ["observer", wallet],
    ["note", "a b+c&d=e#f"],
  ]);
  for (const page of ["session", "board", "embed"] as const) {
    const read = parseRoute(formatRoute({ page, session, params }));
    expect(read.page).toBe(page);
    expect("params" in read && [...read.params]).toEqual([...params]);
  }
  expect(parseRoute(to.wallet(wallet))).toMatchObject({ page: "wallet", address: wallet });
  expect(parseRoute(to.join(session))).toMatchObject({ page: "join", invite: session });
});
