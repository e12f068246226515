// A chosen or dropped file as the page recognises it: read by the same reader as on the command line.

import { expect, test } from "vitest";
import { writeBundle } from "../../core/bundle.ts";
import type { Ref } from "../../core/values.ts";
import { recogniseFile } from "./read-file.ts";
import sessions from "../../../public/vectors/sessions.json" with { type: "json" };

const [vector] = sessions;
const session = vector!.session as Ref;
const bundle = writeBundle(session, vector!.records);

test.each([
  ["a byte order mark", new Blob([`\ufeff${bundle}`])],
  ["CR LF", new Blob([bundle.replaceAll("\n", "\r\n")])],
  ["UTF-16", new Blob([new Uint8Array(Buffer.from(`\ufeff${bundle}`, "utf16le"))])],
])("a bundle with %s is opened", async (_, file) => {
  expect(await recogniseFile(file)).toMatchObject({ kind: "records", sessions: [session] });
});

test.each([
  ["an empty file", new Blob([]), /empty/],
  ["a picture", new Blob([Uint8Array.from([0xff, 0xd8, 0xff, 0xe0])]), /picture/],
  ["our own report", new Blob(["<!doctype html><html>"]), /report.*bundle/],
  ["an invalid byte", new Blob([bundle, Uint8Array.from([0xff])]), /Line \d+ is not valid UTF-8/],
])("%s is named, and nothing is opened", async (_, file, why) => {
  const found = await recogniseFile(file);
  expect(found.kind === "refused" && found.why).toMatch(why);
});

test("a million lines of junk are refused at the cap of a Hub", async () => {
  const told: number[] = [];
  const file = new Blob([bundle, "junk\n".repeat(1_000_000)]);
  const found = await recogniseFile(file, undefined, (lines) => told.push(lines));
  expect(found.kind === "refused" && found.why).toContain("more than 400,001 lines");
  expect(told.length).toBeGreaterThan(1);
});
