// The shipped samples as tests see them: each with its view and verdict, at once.

import { readFileSync } from "node:fs";
import { buildView } from "../core/build-view.ts";
import { readBundle } from "../core/bundle.ts";
import { fromHex } from "../core/bytes.ts";
import { domainKey } from "../core/seal.ts";
import type { DomainKey } from "../core/sealed.ts";
import type { Address, Ref } from "../core/values.ts";
import type { View } from "../core/view.ts";
import type { Verdict } from "../games/game.ts";
import { judge } from "../games/judge.ts";
import { checkOnce } from "./build.ts";
import type { SampleEntry } from "./samples.ts";

export interface SampleView {
  readonly name: string;
  readonly session: Ref;
  readonly records: readonly string[];
  readonly domain: DomainKey | undefined;
  readonly view: View;
  readonly verdict: Verdict;
}

export const sampleIndex = JSON.parse(
  readFileSync("public/samples/index.json", "utf8"),
) as readonly SampleEntry[];

export function readSample({ file, key }: SampleEntry): SampleView {
  const bundle = readBundle(readFileSync(`public/samples/${file}`, "utf8"));
  if (!bundle.ok) throw new Error(`${file} is no bundle`);
  const domain = key === undefined ? undefined : domainKey(fromHex(`0x${key}`));
  const view = buildView(bundle.records, bundle.session, { check: checkOnce, domain });
  if (!view.ok) throw new Error(`${file} has no view`);
  const { records, session } = bundle;
  return { name: file.replace(".coop.jsonl", ""), session, records, domain, view, verdict: judge(view) };
}

/** "Player 1", "Player 2" by seat. */
export function bySeat({ participants }: View): (wallet: Address) => string {
  return (wallet) => `Player ${participants.indexOf(wallet) + 1}`;
}
