// Prints what a browser loads, after gzip: the script of the first screen and that of the inspector, each with all it
// imports at once, and their styles. Reads dist/app (`npm run build`). Exit code 1 where a budget is exceeded.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const ASSETS = join("dist", "app", "assets");
/** kB (1,000 bytes) of script after gzip. */
const BUDGETS = { "first screen": 160, inspector: 380 } as const;

const names = readdirSync(ASSETS);
const texts = new Map(names.map((name) => [name, readFileSync(join(ASSETS, name))]));

/** A chunk and all chunks that it imports statically, however deep. */
function closure(entries: readonly string[]): Set<string> {
  const found = new Set<string>();
  const waiting = [...entries];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const text = texts.get(name)?.toString("utf8") ?? "";
    for (const match of text.matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([^"']+\.js)["']/g))
      waiting.push(match[1]!);
  }
  return found;
}

function gzipped(which: Iterable<string>): number {
  let bytes = 0;
  for (const name of which) bytes += gzipSync(texts.get(name)!, { level: 9 }).length;
  return bytes / 1000;
}

function chunk(beginning: string): string[] {
  const found = names.filter((name) => name.startsWith(beginning) && name.endsWith(".js"));
  if (found.length === 0) throw new Error(`no chunk ${beginning}*.js in ${ASSETS}: build the app first`);
  return found;
}

const html = readFileSync(join("dist", "app", "index.html"), "utf8");
const first = closure([...html.matchAll(/assets\/([^"]+\.js)/g)].map((match) => match[1]!));
const whole = closure([
  ...first,
  ...chunk("inspector-page-"),
  ...chunk("environment-"),
  ...names.filter((name) => /^(elements-layer|causal-graph)-.*\.js$/.test(name)),
]);
const sizes = { "first screen": gzipped(first), inspector: gzipped(whole) };
const lines = Object.entries(sizes).map(([what, kilobytes]) => {
  const budget = BUDGETS[what as keyof typeof BUDGETS];
  if (kilobytes > budget) process.exitCode = 1;
  return `${what.padEnd(14)} ${kilobytes.toFixed(1).padStart(7)} kB of script after gzip (at most ${budget})`;
});
const perChunk = [...whole].map((name) => [name, gzipped([name])] as const).sort((a, b) => b[1] - a[1]);
for (const [name, kilobytes] of perChunk.slice(0, 10))
  lines.push(`  ${kilobytes.toFixed(1).padStart(7)} kB  ${name}`);
console.log(lines.join("\n"));
