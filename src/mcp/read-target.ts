// What an audit is given: a session id, an audit link, or the text of a bundle. Records are read from the Hubs that this
// process was started with, and from no address that only a link names.

import { readAuditLink } from "../core/audit-link.ts";
import { readBundle } from "../core/bundle.ts";
import { domainKey } from "../core/seal.ts";
import type { DomainKey } from "../core/sealed.ts";
import { isRef, type Address, type Ref } from "../core/values.ts";
import type { Hub } from "../hub/hub.ts";
import type { AuditSource } from "../session/conclude-audit.ts";
import { describeNote } from "../session/conclude-audit.ts";
import { collectSession } from "../session/collect-session.ts";
import { Refusal } from "./refusal.ts";

export interface Target extends AuditSource {
  readonly records: readonly string[];
  readonly domain: DomainKey | undefined;
  /** Hubs that a link names and that were not asked. */
  readonly notAsked: readonly string[];
}

/** What an agent reads of one session at most: its context is small, and several are read at once. */
const LIMITS = { records: 50_000, total: 100_000, totalUnits: 64 * 1024 * 1024 };
/** Longest text of a bundle, in UTF-16 units. */
export const MAX_BUNDLE = 16 * 1024 * 1024;

/** @throws Refusal saying what is wrong with the text */
export async function readTarget(
  text: string,
  hubs: readonly Hub[],
  witnesses: readonly Address[],
): Promise<Target> {
  const trimmed = text.trim();
  if (isRef(trimmed)) return collect(trimmed, hubs, witnesses);
  if (trimmed.startsWith("{")) return readText(text);
  const link = readAuditLink(trimmed);
  if (!link.ok) {
    const what = link.code === "not-a-link" ? "not a session id, an audit link or a bundle" : link.code;
    throw new Refusal(`${what}: expected ${link.expected}, found ${JSON.stringify(link.found.slice(0, 80))}`);
  }
  const { session, key, verdict, heads, hubs: named } = link;
  const asked = new Set(hubs.map(({ name }) => name));
  const notAsked = named.map((url) => url.replace(/\/+$/, "")).filter((url) => !asked.has(url));
  const all = [...new Set([...witnesses, ...(link.witnesses ?? [])])];
  const target = await collect(session, hubs, all);
  return { ...target, domain: key === undefined ? undefined : domainKey(key), verdict, heads, notAsked };
}

function readText(text: string): Target {
  if (text.length > MAX_BUNDLE)
    throw new Refusal(`a bundle of at most ${MAX_BUNDLE} characters, not ${text.length}`);
  const bundle = readBundle(text);
  if (!bundle.ok)
    throw new Refusal(`not a bundle: ${bundle.code}: expected ${bundle.expected}, found ${bundle.found}`);
  const [session, ...more] = bundle.sessions;
  if (session === undefined || more.length > 0)
    throw new Refusal("bundles of several sessions: give one at a time");
  return { session, records: bundle.records, domain: undefined, notes: [], stopped: null, notAsked: [] };
}

async function collect(session: Ref, hubs: readonly Hub[], witnesses: readonly Address[]): Promise<Target> {
  const { records, notes } = await collectSession(hubs, session, { witnesses, limits: LIMITS });
  const failure = notes.find(({ kind }) => kind === "failed");
  if (records.length === 0)
    throw new Refusal(
      failure === undefined
        ? "no Hub asked has anything of this session: check the id, or name a participant in witnesses"
        : `the session cannot be read: ${describeNote(failure)}`,
    );
  return { session, records, domain: undefined, notes, stopped: null, notAsked: [] };
}
