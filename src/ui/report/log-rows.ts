// What the report's tables say of each entry. Pure.

import type { Entry } from "../../core/entry.ts";
import type { Address, Ref } from "../../core/values.ts";
import type { View } from "../../core/view.ts";
import type { Report } from "../../verify/verifier.ts";

/** All valid entries by wallet, participants first, each log by seq and then hash. */
export function logsOf(view: View): ReadonlyMap<Address, readonly Entry[]> {
  const logs = new Map<Address, Entry[]>(view.participants.map((wallet) => [wallet, []]));
  for (const entry of view.entries.values()) {
    const log = logs.get(entry.wallet);
    if (log === undefined) logs.set(entry.wallet, [entry]);
    else log.push(entry);
  }
  for (const log of logs.values()) log.sort((x, y) => x.seq - y.seq || (x.hash < y.hash ? -1 : 1));
  return logs;
}

/** How each entry stands in the session, in words; entries without a word are not of it. */
export function standingOf(view: View): ReadonlyMap<Ref, string> {
  const words = new Map<Ref, string>([[view.session, "genesis"]]);
  for (const { ref, place, inTime } of view.order)
    words.set(ref, inTime ? `place ${place}` : `place ${place}, late`);
  for (const { entry } of view.pending) words.set(entry.ref, "waits for something missing");
  for (const { fault } of view.members)
    for (const version of fault?.versions ?? []) words.set(version.ref, "one version of a fork");
  return words;
}

/** What is known of an entry's own signature. */
export function entryState(
  entry: Entry,
  report: Report,
): { readonly passed: boolean; readonly words: string } {
  const result = report.check(entry);
  if (!result.ok) return { passed: false, words: "not checked" };
  return result.by === "signature"
    ? { passed: true, words: "checked" }
    : { passed: false, words: "covered by the chain" };
}
