import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseRoute } from "../routing/routes.ts";
import { nameOfSample, readSamples, routeOfSample } from "./samples.ts";

const text = readFileSync("public/samples/index.json", "utf8");

test("every example of the app has a title, a sentence, and a valid route", () => {
  const samples = readSamples(text);
  expect(samples.length).toBeGreaterThanOrEqual(14);
  for (const sample of samples) {
    expect(sample.title).not.toBe("");
    expect(parseRoute(routeOfSample(sample))).toMatchObject({ page: "sample", name: nameOfSample(sample) });
  }
  const sealed = samples.find(({ key }) => key !== undefined);
  expect(sealed && routeOfSample(sealed)).toMatch(/[?&]k=/);
});

test.each(["", "a/b", "..", "A", "a%20b", `${"a".repeat(65)}`])("#/sample/%s names no example", (name) =>
  expect(parseRoute(`#/sample/${name}`).page).toBe("bad"),
);

test.each([
  ["no list", "{}"],
  ["no JSON", "<!doctype html>"],
  ["a file that lies elsewhere", '[{"file":"../x","title":"t","says":"s","session":"x"}]'],
  ["an item without its session", '[{"file":"a.jsonl","title":"t","says":"s"}]'],
])("%s gives no examples", (_name, bad) => expect(readSamples(bad)).toEqual([]));
