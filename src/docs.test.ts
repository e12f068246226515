// The documents agree with the code: every path that they name exists, every function of architecture.md is in the
// file beside it, and dependencies.md lists package.json.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
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
