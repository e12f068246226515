// The documents agree with the code: every path that they name exists, every function of architecture.md is in the
// file beside it, dependencies.md lists package.json, and the index of decisions lists every record.

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const read = (path: string): string => readFileSync(path, "utf8");
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];
const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join("src", name));

/** Paths under src that a text names, without a full stop at the end. */
const pathsIn = (text: string): string[] =>
  (text.match(/\bsrc\/[\w./-]*\w/g) ?? []).filter((path) => !path.includes("..."));
const commentsOf = (text: string): string => (text.match(/^\s*(?:\/\/|\/?\*).*$/gm) ?? []).join("\n");

test("every src path named in a document or a comment exists", () => {
  const named = [
    ...documents.map((file) => [file, pathsIn(read(file))] as const),
    ...sources.map((file) => [file, pathsIn(commentsOf(read(file)))] as const),
  ];
  expect(named.flatMap(([, paths]) => paths).length).toBeGreaterThan(30);
  const missing = named.flatMap(([file, paths]) =>
    paths.filter((path) => !existsSync(path)).map((path) => `${file}: ${path}`),
  );
  expect(missing).toEqual([]);
});

test("every function named in architecture.md is in the file beside it", () => {
  const steps = [...read("docs/architecture.md").matchAll(/\b(\w+) {2,}(src\/\S+\.tsx?)/g)];
  expect(steps.length).toBeGreaterThan(20);
  const wrong = steps
    .filter(([, name, path]) => name !== "SCHEDULE" && !new RegExp(`\\b${name!}\\b`).test(read(path!)))
    .map(([, name, path]) => `${name!} is not in ${path!}`);
  expect(wrong).toEqual([]);
});

test("dependencies.md has one row for each package, with its exact version", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json")) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const rows = [...read("docs/dependencies.md").matchAll(/^\| `([^`]+)` \| (\S+) \| \S/gm)];
  expect(rows.map(([, name, version]) => `${name!} ${version!}`).sort()).toEqual(
    Object.entries({ ...dependencies, ...devDependencies })
      .map(([name, version]) => `${name} ${version}`)
      .sort(),
  );
});

const RECORDS = readdirSync("docs/decisions").filter((name) => name !== "README.md");
const RECORD_FORM =
  /^# (\d{4}) (.+)\n\n- Status: (?:accepted|superseded by \d{4})\n- Date: (\d{4}-\d\d-\d\d)\n\n## Context\n[^]+\n## Decision\n[^]+\n## Considered\n[^]+\n## Consequences\n/;

test("the index of decisions lists every record with its title and date", () => {
  expect(RECORDS.length).toBeGreaterThanOrEqual(12);
  const rows = [
    ...read("docs/decisions/README.md").matchAll(/^\| \[(\d{4})\]\((\S+)\) \| (.+) \| (\S+) \|$/gm),
  ];
  const written = RECORDS.map((name) => {
    const [, number, title, date] = RECORD_FORM.exec(read(`docs/decisions/${name}`)) ?? [];
    return `${number ?? "no number"} ${name} ${title ?? "no title"} ${date ?? "no date"}`;
  });
  expect(rows.map(([, number, name, title, date]) => `${number!} ${name!} ${title!} ${date!}`)).toEqual(
    written.sort(),
  );
});

test("each record of a decision bears the number of its file and has 30 to 60 lines", () => {
  const wrong = RECORDS.filter((name) => {
    const text = read(`docs/decisions/${name}`);
    const lines = text.trimEnd().split("\n").length;
    return RECORD_FORM.exec(text)?.[1] !== name.slice(0, 4) || lines < 30 || lines > 60;
  });
  expect(wrong).toEqual([]);
});

test("links between documents lead to files that exist", () => {
  const broken = documents.flatMap((file) =>
    [...read(file).matchAll(/\]\(([^)#\s]+)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^https?:/.test(target) && !existsSync(join(dirname(file), target)))
      .map((target) => `${file}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test("decisions, dependencies and benchmarks have at most 35 kB together", () => {
  const files = [
    "docs/dependencies.md",
    "docs/benchmarks.md",
    ...readdirSync("docs/decisions").map((name) => join("docs/decisions", name)),
  ];
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes).toBeLessThanOrEqual(35_000);
});
