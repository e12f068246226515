// Opens what search has recognised. Records go into memory first, so that their session opens with the network off.

import { useCallback } from "react";
import { parseCandidate } from "../../core/entry.ts";
import { distinctSteps } from "../../core/steps.ts";
import { parseRef, type Ref } from "../../core/values.ts";
import { appendKey, readRecord } from "../../hub/log-keys.ts";
import { useGetEnvironment } from "../services/use-environment.ts";
import { to } from "../routing/routes.ts";
import { useStores } from "../services/stores.tsx";
import { defaultPace, runSteps } from "../../platform/time-slices.ts";
import { navigate } from "../routing/use-route.ts";
import { placeOfEntry, type ReadEntry } from "./locate-entry.ts";
import type { Recognised } from "./recognise.ts";

export type Opened =
  | "opened"
  | "nothing"
  /** Records of several sessions are held now: one must be chosen. */
  | { readonly choose: readonly Ref[] };

/** `name`: where records came from, for people. Rejects with nothing: a Hub that fails leaves the ref's own page to say so. */
export function useOpen(): (recognised: Recognised, name: string) => Promise<Opened> {
  const getEnvironment = useGetEnvironment();
  const { sources } = useStores();
  return useCallback(
    async (recognised, name) => {
      if (recognised.kind === "nothing" || recognised.kind === "refused") return "nothing";
      if (recognised.kind === "route") {
        navigate(recognised.route);
        return "opened";
      }
      const given = recognised.kind === "records" ? recognised.records : [];
      if (recognised.kind === "records") {
        const { sessions } = recognised;
        const records = await runSteps(distinctSteps(recognised.records), defaultPace);
        for (const session of sessions) sources.getState().add({ session, name, records });
        if (sessions.length > 1) return { choose: sessions };
        if (sessions.length === 1) {
          navigate(to.session(sessions[0]!));
          return "opened";
        }
      }
      const ref = recognised.kind === "ref" ? recognised.ref : recognised.entry;
      if (ref === undefined) return "nothing";
      const held = [...sources.getState().bySession.values()].flatMap((source) => source.records);
      navigate(await placeOfEntry(ref, entryReader([...given, ...held], getEnvironment)));
      return "opened";
    },
    [getEnvironment, sources],
  );
}

/** Looks among the records in hand first, then asks the Hub by the place that the ref names. */
function entryReader(
  records: readonly string[],
  getEnvironment: ReturnType<typeof useGetEnvironment>,
): ReadEntry {
  return async (ref) => {
    const { wallet, seq, hash } = parseRef(ref)!;
    const tail = `"wallet":"${wallet}"}`;
    for (const record of records) {
      if (!record.endsWith(tail)) continue;
      const parsed = parseCandidate(record);
      if (parsed.ok && parsed.value.hash === hash) return parsed.value;
    }
    try {
      const record = await readRecord((await getEnvironment()).hub, wallet, appendKey(seq));
      const parsed = record === null ? undefined : parseCandidate(record);
      return parsed?.ok === true && parsed.value.ref === ref ? parsed.value : undefined;
    } catch {
      return undefined;
    }
  };
}
