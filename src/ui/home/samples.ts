// The example sessions that come with the app: `samples/index.json` and the bundles it names.

import { queryOptions } from "@tanstack/react-query";
import { writeAuditLink } from "../../core/audit-link.ts";
import { readBundle } from "../../core/bundle.ts";
import { fromHex } from "../../core/bytes.ts";
import { isObject, own, parseJson, type Json } from "../../core/canonical.ts";
import { isRef, type Ref } from "../../core/values.ts";
import { to } from "../routing/routes.ts";
import type { Source } from "../services/sources.ts";

export interface Sample {
  readonly file: string;
  readonly title: string;
  /** The verdict that it must show, in a few words. */
  readonly says: string;
  readonly session: Ref;
  /** K_d of a sealed session: the example opens with it, as an audit link would. */
  readonly key?: Uint8Array;
}

/** The list out of its text. Items that are malformed, or whose file lies elsewhere, are left out. */
export function readSamples(text: string): readonly Sample[] {
  const value = parseJson(text);
  return Array.isArray(value) ? (value as readonly Json[]).flatMap(readSample) : [];
}

function readSample(value: Json): readonly Sample[] {
  if (!isObject(value)) return [];
  const [file, title, says, session] = ["file", "title", "says", "session"].map((name) => own(value, name));
  if (typeof file !== "string" || !/^[a-z0-9][a-z0-9._-]*$/i.test(file)) return [];
  if (typeof title !== "string" || typeof says !== "string" || !isRef(session)) return [];
  const key = own(value, "key");
  const opens = typeof key === "string" && /^[0-9a-f]{64}$/.test(key) && { key: fromHex(`0x${key}`) };
  return [{ file, title, says, session, ...opens }];
}

const EXTENSION = /\.coop\.jsonl$/;

/** The name of an example in its route. */
export function nameOfSample({ file }: Sample): string {
  return file.replace(EXTENSION, "");
}

/** Where an example opens, with its key behind `k` as in an audit link. */
export function routeOfSample(sample: Sample): string {
  const { session, key } = sample;
  const link = writeAuditLink({ session, hubs: [], key, state: new Map() });
  const written = link.ok ? new URLSearchParams(link.hash.split("?")[1]).get("k") : null;
  return to.sample(nameOfSample(sample), new URLSearchParams(written === null ? {} : { k: written }));
}

export const samplesQuery = queryOptions({
  queryKey: ["samples"],
  queryFn: async ({ signal }) => readSamples(await load("index.json", signal)),
});

/** One example by its name, with its records; null where the host has no such example. */
export function sampleQuery(name: string) {
  return queryOptions({
    queryKey: ["sample", name],
    queryFn: async ({ signal, client }): Promise<Source | null> => {
      const sample = (await client.fetchQuery(samplesQuery)).find((one) => nameOfSample(one) === name);
      return sample === undefined ? null : await loadSample(sample, signal);
    },
    // The same bytes as long as the page stands.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** @throws Error where it cannot be read */
async function loadSample(sample: Sample, signal: AbortSignal): Promise<Source> {
  const bundle = readBundle(await load(sample.file, signal));
  if (!bundle.ok) throw new Error(`${sample.file} is no bundle: expected ${bundle.expected}`);
  return { session: bundle.session, name: sample.title, about: sample.says, records: bundle.records };
}

async function load(file: string, signal?: AbortSignal): Promise<string> {
  const answer = await fetch(
    new URL(`samples/${file}`, document.baseURI),
    signal === undefined ? {} : { signal },
  );
  if (!answer.ok) throw new Error(`${file}: the host answered ${answer.status}`);
  return answer.text();
}
