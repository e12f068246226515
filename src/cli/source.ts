// Where records come from: a session id or a link (read from Hubs), a bundle's file, or standard input.

import { createReadStream } from "node:fs";
import { readAuditLink } from "../core/audit-link.ts";
import { readBundle } from "../core/bundle.ts";
import { parseCandidate } from "../core/entry.ts";
import type { DomainKey } from "../core/sealed.ts";
import { isRef, type Address, type Hash, type Ref } from "../core/values.ts";
import { readInput, type InputText } from "../platform/read-input.ts";
import { COLLECT_LIMITS, collectSession, type CollectNote } from "../session/collect-session.ts";
import { describeNote } from "../session/conclude-audit.ts";
import type { Heads } from "../core/heads.ts";
import { Unusable, type SafeConsole } from "./console.ts";
import { checkIsHub, hubUrl, openHub } from "./open-hub.ts";

export interface Source {
  readonly session: Ref;
  readonly records: readonly string[];
  /** Where they were read. */
  readonly from: readonly string[];
  /** What the Hubs could not give. */
  readonly notes: readonly CollectNote[];
  readonly domain: DomainKey | undefined;
  /** What a link claims. */
  readonly verdict: Hash | undefined;
  readonly heads: Heads | undefined;
  /** Whose copies of the genesis were asked for. */
  readonly witnesses: readonly Address[];
  /** Why the reading ended before all was read. */
  readonly stopped: string | null;
}

const NOTHING = {
  notes: [],
  witnesses: [],
  stopped: null,
  domain: undefined,
  verdict: undefined,
  heads: undefined,
};

/** Reads a session id, a link, or the path of a bundle (`-`: from standard input). @throws Unusable */
export async function readSource(
  input: string,
  hubFlag: string | undefined,
  console: SafeConsole,
  witnesses: readonly Address[] = [],
): Promise<Source> {
  const text = input.trim();
  if (isRef(text)) return collect(text, [hubUrl(hubFlag)], console, witnesses);
  if (text.includes("#/s/") || /^https?:/i.test(text) || /%23/.test(text))
    return readLink(text, hubFlag, console, witnesses);
  // A near miss of a session id is said to be one, not looked for as a file.
  if (/^0x[0-9a-f]*:/i.test(text))
    throw new Unusable(
      `${shown(text)}: not a session id: expected <address>:<seq>:<hash>, in lower case and whole`,
    );
  return readFileSource(input, console);
}

async function readLink(
  text: string,
  hubFlag: string | undefined,
  console: SafeConsole,
  named: readonly Address[],
): Promise<Source> {
  const link = readAuditLink(text);
  if (!link.ok)
    throw new Unusable(`${shown(text)}: ${link.code}: expected ${link.expected}, found ${link.found}`);
  const hubs = hubFlag !== undefined ? [hubFlag] : link.hubs.length > 0 ? link.hubs : [hubUrl(undefined)];
  const source = await collect(link.session, hubs, console, [
    ...new Set([...named, ...(link.witnesses ?? [])]),
  ]);
  const { key, verdict, heads } = link;
  if (key === undefined) return { ...source, verdict, heads };
  // The cipher costs a start 40 ms, and few sessions are sealed.
  const { domainKey } = await import("../core/seal.ts");
  return { ...source, domain: domainKey(key), verdict, heads };
}

async function readFileSource(path: string, console: SafeConsole): Promise<Source> {
  const { text, capped } = await readInputOf(path, console);
  const bundle = readBundle(text);
  if (!bundle.ok)
    throw new Unusable(`${shown(path)}: ${bundle.code}: expected ${bundle.expected}, found ${bundle.found}`);
  if (bundle.sessions.length > 1)
    throw new Unusable(
      `${shown(path)}: bundles of ${bundle.sessions.length} sessions after one another; give a file for each: ${bundle.sessions.join(", ")}`,
    );
  return {
    ...NOTHING,
    session: bundle.session,
    records: bundle.records,
    from: [path === "-" ? "standard input" : path],
    stopped: capped === null ? null : sayCapped(capped),
  };
}

/** The whole text of a file, or of standard input for `-`. @throws Unusable */
export async function readText(path: string, console: SafeConsole): Promise<string> {
  const { text, capped } = await readInputOf(path, console);
  if (capped !== null) throw new Unusable(`${shown(path)}: ${sayCapped(capped)}`);
  return text;
}

/** As much as is read of a Hub, and a line for the bundle's head. */
const INPUT_LIMITS = { lines: COLLECT_LIMITS.total + 1, bytes: COLLECT_LIMITS.totalUnits };
const TOLD_EVERY = 100_000;

/** @throws Unusable */
async function readInputOf(path: string, console: SafeConsole): Promise<InputText> {
  const chunks = path === "-" ? console.readStdin() : createReadStream(path, { highWaterMark: 1 << 20 });
  let told = 0;
  const read = await readInput(chunks as AsyncIterable<Uint8Array>, INPUT_LIMITS, (lines) => {
    if (lines - told < TOLD_EVERY) return;
    told = lines;
    console.note(`read ${lines} lines`);
  });
  if (read.ok) return read;
  const kind = read.code === "unreadable" ? "neither a session id, nor a link, nor a file: " : "";
  throw new Unusable(`${shown(path)}: ${kind}${read.why}`);
}

function sayCapped({ limit, unit }: NonNullable<InputText["capped"]>): string {
  return `reading stopped at ${limit} ${unit}, as much as is read of a Hub`;
}

async function collect(
  session: Ref,
  urls: readonly string[],
  console: SafeConsole,
  witnesses: readonly Address[],
): Promise<Source> {
  const hubs = urls.map(openHub);
  console.note(`reading ${session} from ${urls.join(", ")}`);
  const { records, notes } = await collectSession(hubs, session, {
    witnesses,
    onProgress: ({ records: count, done, total }) =>
      console.note(`read ${count} records (${done} of ${total} spaces)`),
  });
  const failures = notes.filter(({ kind }) => kind === "failed");
  if (records.length === 0 && failures.length > 0)
    throw new Unusable(`${urls.join(", ")} could not be read: ${describeNote(failures[0]!)}`);
  // A web server that has nothing at any path answers like an empty Hub.
  if (!records.some((record) => parseCandidate(record).ok)) await Promise.all(hubs.map(checkIsHub));
  return { ...NOTHING, session, records, from: urls, notes, witnesses };
}

/** Wallets that have entries of the session among the records: participants, if they are what they say. */
export function authorsIn({ records, session }: Source): readonly Address[] {
  const authors = records.flatMap((record) => {
    const parsed = parseCandidate(record);
    return parsed.ok && parsed.value.refs.includes(session) ? [parsed.value.wallet] : [];
  });
  return [...new Set(authors)];
}

export function shown(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}
