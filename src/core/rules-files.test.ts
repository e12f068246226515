// Files and links, rule by rule (docs/protocol.md, Files and links).

import { expect, test } from "vitest";
import { checkOnce, Drawing } from "../testing/build.ts";
import { judge } from "../games/judge.ts";
import { readAuditLink, writeAuditLink } from "./audit-link.ts";
import { buildView } from "./build-view.ts";
import { readBundle, writeBundle } from "./bundle.ts";
import { canonicalize } from "./canonical.ts";
import { readForkProof } from "./fork-proof.ts";

const drawing = new Drawing().genesis("g", "a", "a b").commit("a1", "a", "rock");
const session = drawing.node("g").ref;

test("F1: a bundle is a header and a record a line, and as a bag it gives the same view", () => {
  const text = writeBundle(session, drawing.records());
  expect(text).toBe(
    `{"format":"coop-bundle/1","session":"${session}"}\n${drawing.wire("g")}\n${drawing.wire("a1")}\n`,
  );
  const bundle = readBundle(text);
  if (!bundle.ok) throw new Error(bundle.code);
  expect(bundle.session).toBe(session);
  expect(buildView(bundle.records, session, { check: checkOnce })).toEqual(drawing.view());
});

test("F2: an audit link keeps session, Hub, digest and key behind the #", () => {
  const view = drawing.view();
  const verdict = view.ok ? judge(view) : undefined;
  const key = new Uint8Array(32).fill(1);
  const digest = verdict?.ok === true ? verdict.digest : undefined;
  const link = {
    session,
    hubs: ["https://hub.example/a"],
    verdict: digest,
    key,
    state: new Map<string, string>(),
  };
  const written = writeAuditLink(link);
  if (!written.ok) throw new Error(written.code);
  expect(written.hash.startsWith(`#/s/${session}?`)).toBe(true);
  expect(readAuditLink(`https://app.example/${written.hash}`)).toMatchObject({ ok: true, ...link });
  // As the rule has it, by hand.
  const plain = `http://localhost/#/s/${session}?hub=https%3A%2F%2Fhub.example%2Fa&v=${digest}&k=AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE`;
  expect(readAuditLink(plain)).toMatchObject({ ok: true, ...link });
});

test("F3: the proof of a fork is one file, in either order", () => {
  const forked = new Drawing()
    .genesis("g", "a", "a b")
    .tick("b0", "b")
    .tick("b0x", "b", { after: "", sees: "" });
  forked.add("b0y", "b", "note", {}, { after: "" });
  const proof = (a: string, b: string) =>
    canonicalize({ format: "coop-fork/1", a: forked.value(a), b: forked.value(b) });
  for (const text of [proof("b0", "b0y"), proof("b0y", "b0")])
    expect(readForkProof(text, checkOnce)).toMatchObject({
      ok: true,
      value: { wallet: forked.node("b0").wallet, seq: 0 },
    });
  expect(readForkProof(proof("b0", "b0x"), checkOnce)).toMatchObject({ ok: false });
});
