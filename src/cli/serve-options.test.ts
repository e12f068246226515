import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Unusable } from "./console.ts";
import { OPTIONS_HELP, readSettings, SERVE_OPTIONS, variableOf } from "./serve-options.ts";

const read = (
  args: readonly string[],
  environment: Record<string, string> = {},
  files: Record<string, string> = {},
) =>
  readSettings(args, {
    environment,
    readFile: (path) => {
      const text = files[path];
      if (text === undefined) throw new Error("ENOENT");
      return text;
    },
  });

test("docs/operations.md and the help name every option with its variable and default", () => {
  const docs = readFileSync("docs/operations.md", "utf8");
  const rows = [
    ...docs.matchAll(/^\| `--([a-z-]+)` +\| `(COOP_[A-Z_]+)` +\| ([^|]+?) +\| ([^|]+?) +\|/gm),
  ].map(([, ...row]) => row);
  expect(rows).toEqual(
    SERVE_OPTIONS.map(({ name, says, default: standard }) => [name, variableOf(name), standard, says]),
  );
  for (const { name } of SERVE_OPTIONS) expect(OPTIONS_HELP).toContain(`--${name}`);
});

test("a flag goes before the environment, and that before the file", () => {
  const files = { "coop.env": "# ours\nCOOP_PORT=1\nCOOP_HOST=::1\nCOOP_REQUESTS=7\nCOOP_NO_BOT=true\n" };
  const found = read(["--config", "coop.env", "--port", "3"], { COOP_PORT: "2", COOP_REQUESTS: "8" }, files);
  expect(["port", "host", "requests", "data"].map((name) => found.value(name))).toEqual([
    ...["3", "::1", "8", undefined],
  ]);
  expect([found.has("no-bot"), found.has("no-app")]).toEqual([true, false]);
  expect(read([], { COOP_CONFIG: "coop.env" }, files).value("port")).toBe("1");
});

test.each<[string, string[], Record<string, string>, Record<string, string>]>([
  ["COOP_PRT is no option", ["--config", "f"], {}, { f: "COOP_PRT=1" }],
  ["--config f: the file cannot be read", ["--config", "f"], {}, {}],
  ["COOP_NO_BOT=maybe: a switch is true or false", [], { COOP_NO_BOT: "maybe" }, {}],
])("%s", (message, args, environment, files) => {
  const attempt = () => read(args, environment, files).has("no-bot");
  expect(attempt).toThrow(Unusable);
  expect(attempt).toThrow(message);
});

test.each(["Dockerfile", "compose.yaml", "deploy/coop.service"])("%s sets options that there are", (file) => {
  const named = readFileSync(file, "utf8").match(/COOP_[A-Z_]+/g) ?? [];
  const known = new Set([...SERVE_OPTIONS.map(({ name }) => variableOf(name)), "COOP_DOMAIN"]);
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
