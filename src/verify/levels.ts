// The two levels over any runner: records are sorted out, handed over in chunks, and their findings become a report.
// What did not come back is unchecked.

import { distinctSteps, type Steps } from "../core/steps.ts";
import type { Hash } from "../core/values.ts";
import { Cover } from "./signature-cover.ts";
import { allUnchecked, type Finding, type Runner, type Task } from "./findings.ts";
import { reportSteps, type Settled } from "./verification-report.ts";
import { defaultPace, goOnWith } from "../platform/time-slices.ts";
import type { Report, VerifyOptions } from "./verifier.ts";
import type { FindingCache } from "./findings-cache.ts";

/** Smaller chunks cost more to hand over than they gain by being shared out. */
const LEAST_CHUNK = 32;

/** Remembers findings between calls; without it every call starts from nothing. */
export interface Memory {
  readonly cache: FindingCache;
  /** SHA-256 of a record's exact bytes, the key of its findings. */
  readonly keyOf: (wire: string) => Hash;
}

/** Verifies records at a level. Rejects never because of what they hold. */
export async function verifyRecords(
  runner: Runner,
  records: readonly string[],
  options: VerifyOptions,
  memory?: Memory,
): Promise<Report> {
  const wires = await goOnWith(distinctSteps(records), defaultPace);
  const settled =
    options.level === "verified"
      ? await verifyAll(runner, wires, options, memory)
      : await authenticate(runner, wires, options);
  return goOnWith(reportSteps(options.level, records, settled, options.parsed), defaultPace);
}

async function verifyAll(
  runner: Runner,
  wires: readonly string[],
  options: VerifyOptions,
  memory: Memory | undefined,
): Promise<Map<string, Settled>> {
  const keys = memory === undefined ? [] : await goOnWith(keySteps(wires, memory), defaultPace);
  const known = memory === undefined ? [] : await memory.cache.getMany(keys);
  const rest = await goOnWith(restSteps(wires, known), defaultPace);
  const report = progress(options, wires.length, wires.length - rest.length);
  const asked = rest.map((i) => wires[i]!);
  const found = await runChunks(runner, "check", asked, options, report);
  const findings = known.slice() as Finding[];
  rest.forEach((i, k) => (findings[i] = found[k]!));
  if (memory !== undefined) await memory.cache.putMany(rest.map((i) => [keys[i]!, findings[i]!] as const));
  return goOnWith(
    settledSteps(wires, (i) => settle(findings[i]!)),
    defaultPace,
  );
}

/** Records handled in one step: short enough that a page still answers. */
const STEP = 256;

function* keySteps(wires: readonly string[], { keyOf }: Memory): Steps<Hash[]> {
  const keys: Hash[] = [];
  for (const wire of wires) {
    keys.push(keyOf(wire));
    if (keys.length % STEP === 0) yield;
  }
  return keys;
}

function* settledSteps(
  wires: readonly string[],
  findingOf: (record: number) => Settled,
): Steps<Map<string, Settled>> {
  const settled = new Map<string, Settled>();
  for (const [i, wire] of wires.entries()) {
    settled.set(wire, findingOf(i));
    if (i % STEP === 0) yield;
  }
  return settled;
}

async function authenticate(
  runner: Runner,
  wires: readonly string[],
  options: VerifyOptions,
): Promise<Map<string, Settled>> {
  const report = progress(options, wires.length, 0);
  const findings = await runChunks(runner, "parse", wires, options, report);
  const cover = await goOnWith(Cover.of(findings), defaultPace);
  for (let check = cover.toCheck(); check.length > 0; check = cover.toCheck()) {
    if (options.signal?.aborted === true) break;
    const tips = check.map((i) => wires[i]!);
    const found = await runChunks(runner, "check", tips, options, () => undefined);
    await goOnWith(cover.take(found), defaultPace);
  }
  const settledAt = (i: number): Settled => {
    const finding = findings[i]!;
    return finding.state === "parsed" && cover.isCovered(i) ? { ...finding, covered: true } : settle(finding);
  };
  return goOnWith(settledSteps(wires, settledAt), defaultPace);
}

function settle(finding: Finding): Settled {
  return finding.state === "parsed" ? { state: "unchecked", why: "its signature was not checked" } : finding;
}

/** Runs a task over all wires, as many chunks at a time as the runner has lanes. Findings come in the order given. */
async function runChunks(
  runner: Runner,
  task: Task,
  wires: readonly string[],
  options: VerifyOptions,
  report: (more: number) => void,
): Promise<Finding[]> {
  const findings = new Array<Finding>(wires.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < wires.length) {
      const start = next;
      const share = Math.ceil((wires.length - start) / runner.lanes);
      const part = wires.slice(start, start + Math.min(runner.chunk(task), Math.max(LEAST_CHUNK, share)));
      next += part.length;
      const found = await runOne(runner, task, part, options);
      for (let i = 0; i < part.length; i++) findings[start + i] = found[i]!;
      report(part.length);
    }
  };
  await Promise.all(Array.from({ length: runner.lanes }, lane));
  return findings;
}

async function runOne(
  runner: Runner,
  task: Task,
  part: readonly string[],
  { signal, parsed }: VerifyOptions,
): Promise<readonly Finding[]> {
  if (signal?.aborted === true) return allUnchecked(part.length, "stopped before its check");
  try {
    const found = await runner.run(task, part, signal, parsed);
    if (found.length === part.length) return found;
    return allUnchecked(part.length, `${found.length} findings came for ${part.length} records`);
  } catch (error) {
    return allUnchecked(part.length, `the check failed: ${String(error)}`);
  }
}

function progress(options: VerifyOptions, total: number, start: number): (more: number) => void {
  let done = start;
  options.onProgress?.({ done, total });
  return (more) => {
    done += more;
    options.onProgress?.({ done, total });
  };
}

/**
 * Indices of what is not known yet, sorted so that records which seem to be of one wallet stand together: batches are by
 * wallet. Canonical text ends in the wallet; where that is not so it does no harm.
 */
function* restSteps(wires: readonly string[], known: readonly unknown[]): Steps<number[]> {
  const groups = new Map<string, number[]>();
  for (const [i, wire] of wires.entries()) {
    if (i % STEP === 0) yield;
    if (known[i] !== undefined) continue;
    const hint = wire.slice(-44);
    const group = groups.get(hint);
    if (group === undefined) groups.set(hint, [i]);
    else group.push(i);
  }
  return [...groups.values()].flat();
}
