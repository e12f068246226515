import { expect, test } from "vitest";
import type { Ref } from "../../core/values.ts";
import { parseRoute } from "../routing/routes.ts";
import { embedCode, frameAddress } from "./embed-code.ts";

const session: Ref = `0x${"a1".repeat(20)}:0:0x${"b2".repeat(32)}`;

test("the code frames the address that may be framed, and leads back to the session", () => {
  const frame = frameAddress("https://example.org/app/#/s/x", true);
  expect(frame).toBe("https://example.org/app/embed");
  const code = embedCode(frame, {
    session,
    hubs: ["https://hub.example/a"],
    verdict: `0x${"c3".repeat(32)}`,
  });
  if (!code.ok) throw new Error(code.code);
  expect(code.html).toContain('src="https://example.org/app/embed#/embed/s/');
  expect(code.html).toContain("&amp;v=0x");
  const route = parseRoute(new URL(code.url).hash);
  expect(route).toMatchObject({ page: "embed", session });
  expect(route.page === "embed" && route.params.get("hub")).toBe("https://hub.example/a");
});

test("a page without our server frames itself", () => {
  expect(frameAddress("https://example.org/x.html#/s/y", false)).toBe("https://example.org/x.html");
});

test("nothing in a Hub's address leaves the attribute", () => {
  const code = embedCode("https://example.org/embed", { session, hubs: ['https://h/"><script>'] });
  expect(code.ok && code.html.match(/[<>]/g)).toEqual(["<", ">", "<", ">"]);
});

test("a link that would be too long is refused", () => {
  const hubs = Array.from({ length: 60 }, (_, i) => `https://hub-${i}.example.org/with/a/long/path`);
  expect(embedCode("https://example.org/embed", { session, hubs })).toMatchObject({
    ok: false,
    code: "too-long",
  });
});
