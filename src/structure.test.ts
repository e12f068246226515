// How the source hangs together: imports go one way, purity holds, files open by saying what they are.
// Every rule looks at all files of src and names each one that breaks it.

import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";

interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const files: readonly Source[] = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((name) => join("src", name).replaceAll("\\", "/"))
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".d.ts"))
  .map((path) => {
    const text = readFileSync(path, "utf8");
    return { path, text, imports: importsOf(path, text) };
  });

/** Specifiers of static, dynamic, type-only and worker imports; relative ones as paths from the root. */
function importsOf(path: string, text: string): string[] {
  const patterns = [
    /(?:^|\n)\s*(?:import|export)\b[^"';]*?\bfrom\s*"([^"]+)"/g,
    /(?:^|\n)\s*import\s*"([^"]+)"/g,
    /\bimport\(\s*(?:\/\*.*?\*\/\s*)?"([^"]+)"/g,
    /new URL\(\s*"(\.[^"]+\.tsx?)"/g,
  ];
  return patterns
    .flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]!))
    .map((to) => (to.startsWith(".") ? posix.join(posix.dirname(path), to) : to));
}

const partOf = (path: string): string => path.split("/")[1]!;
/** Tests, contract suites, what only they use. */
const isTest = (path: string): boolean =>
  /\.test\.tsx?$|\b(contract|harness)\.ts$/.test(path) || partOf(path) === "testing";
const isNodeOnly = (path: string): boolean =>
  ["server", "cli"].includes(partOf(path)) || /\.node\.ts$/.test(path) || path === "src/package/node.ts";
const broken = (rule: (file: Source) => readonly string[]): string[] =>
  files.flatMap((file) => rule(file).map((what) => `${file.path}: ${what}`));

/** What each part may import besides itself: the folders in the order in which an entry travels. */
const TABLE: { readonly [part: string]: readonly string[] } = {
  core: [],
  games: ["core"],
  platform: ["core"],
  crypto: ["core"],
  wallet: ["core", "platform"],
  channel: ["core", "platform"],
  hub: ["core", "platform"],
  verify: ["core", "platform", "crypto"],
  names: ["core", "games", "platform"],
  audit: ["core", "games", "platform", "verify"],
  session: ["core", "games", "platform", "channel", "hub", "verify", "audit"],
  log: ["core", "games", "platform", "wallet", "hub"],
  peer: ["core", "games", "platform", "wallet", "channel", "hub", "verify", "session", "log"],
  invite: ["core", "games", "platform", "wallet", "channel", "hub", "session", "log", "peer"],
  bot: ["core", "games", "platform", "session", "log", "peer", "invite"],
  mcp: [
    ...["core", "games", "platform", "wallet", "channel", "hub", "verify", "audit", "session", "log", "peer"],
    ...["invite", "bot", "names"],
  ],
  server: ["core", "platform", "channel", "hub"],
  cli: [
    ...["core", "games", "platform", "wallet", "channel", "hub", "verify", "audit", "session", "log", "peer"],
    ...["invite", "bot", "server", "names", "mcp"],
  ],
  ui: [
    ...["core", "games", "platform", "wallet", "channel", "hub", "verify", "audit", "session", "log", "peer"],
    ...["invite", "bot", "names"],
  ],
  // Its entry points: the public names of the library, and nothing else.
  package: [
    ...["core", "games", "platform", "wallet", "channel", "hub", "verify", "audit", "session", "log", "peer"],
    ...["invite", "bot"],
  ],
  examples: [
    ...["core", "games", "platform", "wallet", "channel", "hub", "verify", "audit", "session", "log", "peer"],
    ...["invite", "bot", "names"],
  ],
};

/** Parts that see of a port its interface alone; `<port>.<implementation>.ts` comes to them by argument. */
const WITHOUT_IMPLEMENTATIONS = ["core", "games", "audit", "session", "log", "peer", "invite", "bot"];
const IMPLEMENTATION = /\/(hub|channel|wallet|vault|verifier|key-value-store|findings-cache)\.[a-z]+\.ts$/;

test("there are files to look at, and every part is in the table", () => {
  expect(files.length).toBeGreaterThan(10);
  const parts = new Set(files.map(({ path }) => partOf(path)).filter((part) => !/\.tsx?$/.test(part)));
  expect([...parts].filter((part) => !(part in TABLE) && part !== "testing")).toEqual([]);
});

test("imports obey the table, type-only ones too", () => {
  const faults = broken(({ path, imports }) => {
    if (isTest(path) || !(partOf(path) in TABLE)) return [];
    return imports.filter((to) => {
      if (!to.startsWith("src/")) return false;
      const part = partOf(to);
      return part !== partOf(path) && !TABLE[partOf(path)]!.includes(part);
    });
  });
  expect(faults).toEqual([]);
});

test("who works with a port imports its interface, not an implementation", () => {
  const faults = broken(({ path, imports }) =>
    isTest(path) || !WITHOUT_IMPLEMENTATIONS.includes(partOf(path))
      ? []
      : imports.filter((to) => IMPLEMENTATION.test(to)),
  );
  expect(faults).toEqual([]);
});

test("only tests import test code", () => {
  expect(broken(({ path, imports }) => (isTest(path) ? [] : imports.filter(isTest)))).toEqual([]);
});

test("node: is imported by the server, the command line, *.node.ts and tests alone", () => {
  const faults = broken(({ path, imports }) =>
    isNodeOnly(path) || isTest(path) ? [] : imports.filter((to) => to.startsWith("node:") || isNodeOnly(to)),
  );
  expect(faults).toEqual([]);
});

/** What the installed package loads; the rest, the app, is bundled when the package is built. */
function packaged(): readonly Source[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const found = new Set<Source>();
  const waiting = files.filter(({ path }) => path === "src/cli/main.ts" || partOf(path) === "package");
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    for (const to of file.imports) if (byPath.has(to)) waiting.push(byPath.get(to)!);
  }
  return [...found];
}

test("what the package loads imports dependencies alone, and the app what is declared", () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const inPackage = new Set(packaged().map(({ path }) => path));
  expect(inPackage.size).toBeGreaterThan(100);
  const faults = broken(({ path, imports }) => {
    if (isTest(path)) return [];
    const allowed = inPackage.has(path) ? dependencies : { ...dependencies, ...devDependencies };
    return imports.filter((to) => {
      if (to.startsWith("src/") || to.startsWith("node:")) return false;
      const name = to.split("/").slice(0, to.startsWith("@") ? 2 : 1);
      return !Object.hasOwn(allowed, name.join("/"));
    });
  });
  expect(faults).toEqual([]);
});

test("relative imports name their file's extension", () => {
  const faults = broken(({ imports }) =>
    imports.filter((to) => to.startsWith("src/") && !/\.(tsx?|css|json|svg)(\?\w+)?$/.test(to)),
  );
  expect(faults).toEqual([]);
});

test("the core parses and writes JSON in canonical.ts alone", () => {
  const faults = broken(({ path, text }) =>
    partOf(path) !== "core" || isTest(path) || path === "src/core/canonical.ts"
      ? []
      : (text.match(/JSON\.(parse|stringify)/g) ?? []),
  );
  expect(faults).toEqual([]);
});

test("core and games have no clock, no randomness and no environment", () => {
  const forbidden =
    /\b(Date\.now|new Date|Math\.random|crypto\.|performance\.|setTimeout|setInterval|fetch\(|process\.)/g;
  const faults = broken(({ path, text }) =>
    !["core", "games"].includes(partOf(path)) || isTest(path) ? [] : (text.match(forbidden) ?? []),
  );
  expect(faults).toEqual([]);
});

test("no barrel files, no types.ts, no utils", () => {
  const faults = broken(({ path, text }) => {
    const found: string[] = [];
    if (/(^|\/)(index|types|utils?|helpers)(\.tsx?$|\/)/.test(path)) found.push("name without a meaning");
    if (/^export \* from/m.test(text)) found.push("re-exports a whole file");
    const code = text.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, "").trim();
    const isEntryPoint = partOf(path) === "package";
    if (!isEntryPoint && code !== "" && code.replaceAll(/export\s[^;]*?\bfrom\s*"[^"]+";/g, "").trim() === "")
      found.push("only re-exports");
    return found;
  });
  expect(faults).toEqual([]);
});

test("a file opens with one to five comment lines", () => {
  const faults = broken(({ path, text }) => {
    const lines = text.split("\n");
    const first = lines.findIndex((line) => !line.startsWith("//"));
    if (first > 5) return [`${first} lines`];
    return first === 0 && !path.endsWith(".test.ts") && !path.endsWith(".test.tsx") ? ["none"] : [];
  });
  expect(faults).toEqual([]);
});

test("no holes in the types (any is the linter's), and entries are made in entry.ts alone", () => {
  const holes = /@ts-(ignore|nocheck|expect-error)|\bas (unknown as )?(Entry|View)\b/g;
  const faults = broken(({ path, text }) =>
    ["src/core/entry.ts", "src/structure.test.ts"].includes(path) ? [] : (text.match(holes) ?? []),
  );
  expect(faults).toEqual([]);
});

test("a failure is read from `ok` of a Result, never from the presence of the key", () => {
  const lookup = /["']ok["'] [i]n\b/;
  expect(broken(({ text }) => (lookup.test(text) ? ["looks for the key ok"] : []))).toEqual([]);
});

test("no test is skipped, focused, retried or left to do", () => {
  const marks = /\b(?:it|test|describe)\.(?:skip|only|todo|fixme|fails)\b|\bretr(?:y|ies): *[1-9]/g;
  expect(
    broken(({ path, text }) =>
      isTest(path) && path !== "src/structure.test.ts" ? (text.match(marks) ?? []) : [],
    ),
  ).toEqual([]);
});

test("a test title has at most 90 characters", () => {
  const specs = readdirSync("e2e", { encoding: "utf8" })
    .filter((name) => name.endsWith(".spec.ts"))
    .map((name) => ({ path: `e2e/${name}`, text: readFileSync(`e2e/${name}`, "utf8") }));
  const long = [...files.filter(({ path }) => isTest(path)), ...specs].flatMap(({ path, text }) =>
    [...text.matchAll(/\b(?:test|it|describe)\(\s*"([^"\n]{91,})"/g)].map(([, title]) => `${path}: ${title}`),
  );
  expect(long).toEqual([]);
});
