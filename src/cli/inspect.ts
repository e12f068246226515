// `coop inspect`: the records of a session one by one with their checks, or a single record from standard input.

import { parseCandidate } from "../core/entry.ts";
import { checkPlain } from "../core/signature.ts";
import { checksumAddress, parseRef, parseTypedAddress } from "../core/values.ts";
import type { View } from "../core/view.ts";
import type { Verdict } from "../games/game.ts";
import { describeVerdict } from "../games/describe.ts";
import { isOutsideSession } from "../audit/outside-session.ts";
import { failedRecords } from "../session/conclude-audit.ts";
import { checkRecord, describeCheck, type NamedCheck } from "../audit/record-checks.ts";
import { readArguments } from "./arguments.ts";
import { verify } from "./audit.ts";
import { EXIT, Unusable, type SafeConsole, type ExitCode } from "./console.ts";
import { drawLanes, LEGEND } from "./draw-lanes.ts";
import { playerNames } from "./player-names.ts";
import { readSource, readText } from "./source.ts";

export const INSPECT_HELP = `coop inspect <session id | bundle file | link> [--hub URL] [--entry REF] [--json]
coop inspect -

Draws the session's moves, one lane a player, in causal order, or one of them with its checks and exact
bytes. From standard input (-): one record, checked without a Hub, or a bundle.
  --entry REF  one entry: <address>:<seq>:<hash>, or <address>:<seq>
  --all        draws all moves of a long session, not its end alone
  --hub URL    read from there (default: the link's own, COOP_HUB, http://127.0.0.1:8787)
Exit: 0 all checks that ran passed, 1 a check failed, 2 no such entry, 3 unusable input.`;

/** Where the answer goes into a pipe. */
const WIDTH = 100;
const MOST_ROWS = 200;

export async function inspect(args: readonly string[], console: SafeConsole): Promise<ExitCode> {
  const given = readArguments(args, { values: ["hub", "entry"], switches: ["json", "all"] }, 1);
  const [input] = given.positionals;
  if (input === undefined)
    throw new Unusable("inspect what? Give a session id, a bundle's file, a link or -.");
  const json = given.has("json");
  const all = given.has("all");
  if (input === "-") {
    const text = await readText("-", console);
    if (!/^\s*\{\s*"format"/.test(text))
      return inspectRecord(text.replace(/\r?\n$/, ""), undefined, json, console);
    return inspectSession(
      input,
      given.value("entry"),
      given.value("hub"),
      { json, all },
      {
        ...console,
        readStdin: async function* () {
          yield new TextEncoder().encode(text);
        },
      },
    );
  }
  return inspectSession(input, given.value("entry"), given.value("hub"), { json, all }, console);
}

async function inspectSession(
  input: string,
  entry: string | undefined,
  hub: string | undefined,
  { json, all }: { readonly json: boolean; readonly all: boolean },
  console: SafeConsole,
): Promise<ExitCode> {
  const wanted = entry === undefined ? undefined : readWanted(entry);
  const source = await readSource(input, hub, console);
  const stage = await verify(source, console);
  const { view, verdict } = stage;
  if (wanted !== undefined) {
    const records = source.records.filter((record) => isWanted(record, wanted));
    if (records.length === 0) {
      console.note(`no record at ${wanted}`);
      return EXIT.open;
    }
    const codes = records.map((record) => inspectRecord(record, view.ok ? view : undefined, json, console));
    return codes.includes(EXIT.failed) ? EXIT.failed : EXIT.ok;
  }
  if (!view.ok) console.out(`no view: ${view.code}`);
  else if (json) printJson(view, console);
  else printGraph(view, verdict, all, console);
  for (const record of view.rejected) {
    const { hash, rejection } = record;
    const outside = view.ok && isOutsideSession(view, record) ? " (outside of this session)" : "";
    console.out(`rejected ${hash}${outside}: ${rejection.code} at ${rejection.at}`);
  }
  for (const { hash, why } of view.unchecked) console.out(`not checked ${hash}: ${why}`);
  if (verdict !== null && !json)
    console.out(`verdict: ${describeVerdict(verdict, view.ok ? playerNames(view) : checksumAddress)}`);
  return view.ok && failedRecords(stage).length === 0 ? EXIT.ok : EXIT.failed;
}

function printJson(view: View, console: SafeConsole): void {
  for (const { ref, entry, place, depth, inTime, body, parents } of view.order) {
    const seen = parents.map((i) => view.order[i]!.ref);
    console.json({ ref, type: entry.type, place, depth, inTime, parents: seen, body });
  }
  for (const { entry, missing } of view.pending)
    console.json({ ref: entry.ref, type: entry.type, pending: true, missing });
}

/** The causal graph, with who is who, and what waits. */
function printGraph(view: View, verdict: Verdict | null, all: boolean, console: SafeConsole): void {
  const nameOf = playerNames(view);
  for (const wallet of view.participants) console.out(`${nameOf(wallet)} = ${checksumAddress(wallet)}`);
  const ignored = new Set(verdict?.ok === true ? verdict.flags.map(({ ref }) => ref) : []);
  const rows = all ? Infinity : MOST_ROWS;
  for (const line of drawLanes(view, { nameOf, ignored, width: console.columns ?? WIDTH, rows }))
    console.out(line);
  console.out(LEGEND);
  for (const { entry, missing } of view.pending)
    console.out(`pending ${entry.ref} ${entry.type}: waits for ${missing.join(", ") || "what it rests on"}`);
}

/** A ref, or address and seq, the address as a person types it or as this command prints it. @throws Unusable */
function readWanted(text: string): string {
  const [typed = "", ...rest] = text.split(":");
  const wallet = parseTypedAddress(typed);
  if (!wallet.ok && wallet.code === "bad-checksum")
    throw new Unusable(`--entry ${text}: the address has a wrong checksum`);
  const wanted = wallet.ok ? [wallet.address, ...rest].join(":") : text;
  if (parseRef(wanted) === undefined && !/^0x[0-9a-f]{40}:(0|[1-9]\d*)$/.test(wanted))
    throw new Unusable(`--entry ${text}: expected <address>:<seq>:<hash>, or <address>:<seq>`);
  return wanted;
}

function isWanted(record: string, wanted: string): boolean {
  const parsed = parseCandidate(record);
  if (!parsed.ok) return false;
  const candidate = parsed.value;
  const parts = parseRef(wanted);
  return parts === undefined ? `${candidate.wallet}:${candidate.seq}` === wanted : candidate.ref === wanted;
}

function inspectRecord(
  record: string,
  view: View | undefined,
  json: boolean,
  console: SafeConsole,
): ExitCode {
  if (record === "") throw new Unusable("no record: the input is empty");
  const checks: readonly NamedCheck[] = checkRecord(record, checkPlain, view);
  const parsed = parseCandidate(record);
  const failed = checks.some(({ state }) => state === "failed");
  if (json) {
    const ref = parsed.ok ? parsed.value.ref : null;
    console.json({ ref, checks, record });
    return failed ? EXIT.failed : EXIT.ok;
  }
  if (parsed.ok) {
    const candidate = parsed.value;
    console.out(`entry ${candidate.ref}`);
    console.out(`wallet ${checksumAddress(candidate.wallet)}, seq ${candidate.seq}, type ${candidate.type}`);
    console.out(`hash ${candidate.hash}`);
  }
  for (const check of checks) console.out(describeCheck(check));
  console.out(`bytes ${record}`);
  return failed ? EXIT.failed : EXIT.ok;
}
