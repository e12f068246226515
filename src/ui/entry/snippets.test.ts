// Every snippet is run as a person would run it: its check passes on the vectors' entries, and fails on damage.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parseCandidate } from "../../core/entry.ts";
import { Drawing } from "../../testing/build.ts";
import { cliSnippet, pythonSnippet, snippetsOf, typescriptSnippet } from "./snippets.ts";

interface Ran {
  readonly code: number;
  readonly said: string;
}

function run(program: string, args: readonly string[], input: string, cwd = process.cwd()): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ["pipe", "pipe", "pipe"] });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.once("error", (error) =>
      reject(
        new Error(`${program} is needed to test the snippets and could not be started: ${error.message}`),
      ),
    );
    child.once("close", (code) => resolve({ code: code ?? -1, said }));
    child.stdin.on("error", () => undefined); // a program that ends early reads no more
    child.stdin.end(input);
  });
}

const python = (text: string): Promise<Ran> => run("python3", ["-"], text);

/** Many scripts in one interpreter: what each would have ended with. */
async function pythons(texts: readonly string[]): Promise<number[]> {
  const driver = [
    "import contextlib, io, json, sys",
    "for text in json.load(sys.stdin):",
    "    try:",
    "        with contextlib.redirect_stdout(io.StringIO()): exec(text, {'__name__': '__main__'})",
    "    except SystemExit as end: print(end.code)",
    "    except BaseException as error: print(repr(error))",
  ];
  const { said } = await run("python3", ["-c", driver.join("\n")], JSON.stringify(texts));
  return said.trim().split("\n").map(Number);
}

/** A checkout to save the file in: this one, seen through links, so that nothing is written into it. */
const checkout = mkdtempSync(join(tmpdir(), "coop-snippet-"));
for (const name of ["src", "node_modules", "package.json", "tsconfig.json"])
  symlinkSync(join(process.cwd(), name), join(checkout, name));
afterAll(() => rmSync(checkout, { recursive: true }));

function typescript(text: string): Promise<Ran> {
  writeFileSync(join(checkout, "check-entry.ts"), text);
  return run(process.execPath, ["--import", "tsx", "check-entry.ts"], "", checkout);
}

interface Vector {
  readonly name: string;
  readonly wire: string;
  readonly hash?: string;
  readonly error?: string;
}
const vectors = JSON.parse(readFileSync("public/vectors/entries.json", "utf8")) as Vector[];
const good = vectors.filter(({ error }) => error === undefined);
const SIGNATURE_CODES = ["bad-signature", "wrong-signer", "not-canonical", "bad-number", "not-json"];
const bad = vectors.filter(({ error }) => error !== undefined && SIGNATURE_CODES.includes(error));

const drawing = new Drawing()
  .genesis("g", "a", "a b", { body: { title: "'\"\\ $(id) `id` %s é \u{1F3B2} \u2028 \u202e</script>" } })
  .commit("c", "a", "rock")
  .tick("t", "b", { sees: "c" });
const input = {
  wire: drawing.wire("c"),
  hash: drawing.node("c").hash,
  previous: drawing.wire("g"),
};

/** Another hex digit at the end of the field. */
const flip = (text: string, field: RegExp): string => {
  const changed = text.replace(field, (found) => found.slice(0, -1) + (found.endsWith("0") ? "1" : "0"));
  expect(changed).not.toBe(text);
  return changed;
};

describe("Python, with the standard library alone", () => {
  test("passes on an entry and its chain", async () => {
    const { code, said } = await python(pythonSnippet(input));
    expect(said.trim().split("\n")).toEqual([
      `canonical: ok ${input.wire.length} bytes`,
      `hash: ok ${input.hash}`,
      `signature: ok ${drawing.node("c").wallet}`,
      `chain: ok ${drawing.node("g").hash}`,
    ]);
    expect(code).toBe(0);
  });

  test("carries hostile text unharmed", async () => {
    const { code, said } = await python(
      pythonSnippet({ wire: drawing.wire("g"), hash: drawing.node("g").hash }),
    );
    expect(said).not.toContain("FAILED");
    expect(code).toBe(0);
  });

  test("says that a chain without its predecessor is not checked", async () => {
    const { said } = await python(pythonSnippet({ wire: input.wire }));
    expect(said).toContain("chain: not checked");
  });

  test.each([
    ["the signature", /"sig":"0x[0-9a-f]{100}/, "signature: FAILED"],
    ["the body", /"commitment":"0x[0-9a-f]{64}/, "hash: FAILED"],
    ["the predecessor's hash", /"prev_hash":"0x[0-9a-f]{64}/, "chain: FAILED"],
    ["the wallet", /"wallet":"0x[0-9a-f]{40}/, "signature: FAILED"],
  ])("a flipped digit in %s makes it fail", async (_, field, fails) => {
    const { code, said } = await python(pythonSnippet({ ...input, wire: flip(input.wire, field) }));
    expect(said).toContain(fails);
    expect(code).toBe(1);
  });

  test("agrees with every good vector", async () => {
    expect(good.length).toBe(12);
    const codes = await pythons(good.map(({ wire, hash }) => pythonSnippet({ wire, hash })));
    expect(good.filter((_, i) => codes[i] !== 0).map(({ name }) => name)).toEqual([]);
  });

  test("refuses what the vectors refuse by form, hash or signature", async () => {
    expect(bad.length).toBeGreaterThan(20);
    const codes = await pythons(bad.map(({ wire }) => pythonSnippet({ wire })));
    expect(bad.filter((_, i) => codes[i] !== 1).map(({ name }) => name)).toEqual([]);
  });
});

describe("TypeScript, with this project's core", () => {
  test("passes on an entry and its chain", async () => {
    const { code, said } = await typescript(typescriptSnippet(input));
    expect(said.trim().split("\n")).toEqual([
      `canonical: ok ${input.wire.length} characters`,
      `hash: ok ${input.hash}`,
      `signature: ok ${drawing.node("c").wallet}`,
      `chain: ok ${drawing.node("g").hash}`,
    ]);
    expect(code).toBe(0);
  });

  test("carries hostile text unharmed", async () => {
    const { code } = await typescript(
      typescriptSnippet({ wire: drawing.wire("g"), hash: drawing.node("g").hash }),
    );
    expect(code).toBe(0);
  });

  test.each([
    ["the signature", /"sig":"0x[0-9a-f]{100}/, /wrong-signer|bad-signature/],
    ["the body", /"commitment":"0x[0-9a-f]{64}/, /wrong-signer|bad-signature/],
  ])("a flipped digit in %s makes it fail", async (_, field, fails) => {
    const { code, said } = await typescript(typescriptSnippet({ ...input, wire: flip(input.wire, field) }));
    expect(said).toMatch(fails);
    expect(code).toBe(1);
  });
});

describe("Command line, as a person types it in a checkout", () => {
  test("passes on an entry", async () => {
    const { code, said } = await run("sh", [], cliSnippet(input));
    expect(said).toContain("signer: passed");
    expect(code).toBe(0);
  });

  test("a flipped digit makes it fail", async () => {
    const wire = flip(input.wire, /"commitment":"0x[0-9a-f]{64}/);
    const { code, said } = await run("sh", [], cliSnippet({ wire }));
    expect(said).toMatch(/(signer|signature): failed/);
    expect(code).toBe(1);
  });
});

test("there are three, and each is plain ASCII but for the record in the command", () => {
  const snippets = snippetsOf({ ...input, wire: drawing.wire("g") });
  expect(snippets.map(({ kind }) => kind)).toEqual(["cli", "typescript", "python"]);
  for (const { kind, text } of snippets) if (kind !== "cli") expect(text).toMatch(/^[\x00-\x7f]*$/);
});

test("the shell hands the record over byte for byte", async () => {
  const wire = drawing.wire("g");
  const { code, said } = await run("sh", [], cliSnippet({ wire }).replace(/\| npm .*/, "| cat"));
  expect(code).toBe(0);
  expect(said).toBe(wire);
  expect(parseCandidate(said).ok).toBe(true);
});
