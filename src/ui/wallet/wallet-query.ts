// Reads and verifies a wallet's whole log from the Hub, as a query.

import { queryOptions } from "@tanstack/react-query";
import { parseRef, type Address } from "../../core/values.ts";
import { appendKey, readRecord } from "../../hub/log-keys.ts";
import { readingFrom, readLog, type ReadNote } from "../../hub/read-log.ts";
import type { Report } from "../../verify/verifier.ts";
import type { AppEnvironment } from "../services/environment.ts";
import { arrangeLog, findSessions, type FindRecord, type WalletLog } from "./wallet-log.ts";

export interface WalletReading {
  readonly log: WalletLog;
  readonly report: Report;
  readonly notes: readonly ReadNote[];
  readonly hub: string;
}

export function walletQuery({ hub, verifier }: Pick<AppEnvironment, "hub" | "verifier">, address: Address) {
  return queryOptions({
    queryKey: ["wallet-log", hub.name, address],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<WalletReading> => {
      const reading = readingFrom(0);
      const wires: string[] = [];
      for await (const { record } of readLog(hub, address, { signal, reading })) wires.push(record);
      const report = await verifier.verify(wires, { level: "verified", signal });
      const entries = report.states.flatMap((state) =>
        "candidate" in state && state.candidate !== undefined ? [state.candidate] : [],
      );
      const find: FindRecord = async (ref) => {
        const place = parseRef(ref)!;
        try {
          return (await readRecord(hub, place.wallet, appendKey(place.seq), signal)) ?? undefined;
        } catch {
          return undefined; // its session stays unknown, which is what is shown
        }
      };
      const geneses = await findSessions(entries, find);
      return { log: arrangeLog(wires, report.states, geneses), report, notes: reading.notes, hub: hub.name };
    },
  });
}
