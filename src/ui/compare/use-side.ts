// One side of a comparison, read and verified: a file that was chosen, the records at hand, or a Hub.

import { useEffect, useMemo, useState } from "react";
import { fromBase64url } from "../../core/bytes.ts";
import { keepMoves } from "../../core/build-view.ts";
import { domainKey } from "../../core/seal.ts";
import type { Address, Ref } from "../../core/values.ts";
import { isInPast, type NoView, type View } from "../../core/view.ts";
import { collectSession } from "../../session/collect-session.ts";
import type { AuditState } from "../report/use-audit.ts";
import { useAudit } from "../report/use-audit.ts";
import { useEnvironment } from "../services/use-environment.ts";
import type { Source } from "../services/sources.ts";
import { useSources } from "../services/stores.tsx";
import type { Side } from "./sides.ts";

export interface SideState extends AuditState {
  readonly session: Ref | null;
  /** Where the records come from, for people. */
  readonly from: string;
  readonly records: readonly string[] | null;
  /** The view through the eyes that the side names; null until every signature is checked. */
  readonly view: View | NoView | null;
}

/** `file`: chosen by hand, and then the only source. `again`: another number reads the Hub again. Suspends. */
export function useSide(side: Side, file: Source | null, again: number): SideState {
  const environment = useEnvironment();
  const atHand = useSources((state) =>
    side.session === null ? undefined : state.bySession.get(side.session),
  );
  const given = file ?? (side.hub === null ? (atHand ?? null) : null);
  const session = file?.session ?? side.session;
  const hub = useMemo(
    () => (side.hub === null ? environment.hub : environment.hubAt(side.hub)),
    [environment, side.hub],
  );
  const [fetched, setFetched] = useState<{ records: readonly string[] } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    if (given !== null || session === null) return;
    const abort = new AbortController();
    collectSession([hub], session, { signal: abort.signal }).then(
      ({ records, notes }) => {
        if (abort.signal.aborted) return;
        const failed = notes.find((note) => note.kind === "failed");
        if (records.length === 0 && failed?.kind === "failed") setFailure(failed.error.message);
        setFetched({ records });
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setFailure(String(error));
      },
    );
    return () => {
      abort.abort();
      setFetched(null);
      setFailure(null);
    };
  }, [given, session, hub, again]);
  const domain = useMemo(() => keyOf(side.key), [side.key]);
  const records = given?.records ?? fetched?.records ?? null;
  const audit = useAudit(records, session, environment.verifier, domain);
  const view = useMemo(() => {
    if (audit.stage?.level !== "verified" || audit.progress !== null) return null;
    return side.seen === null ? audit.stage.view : seenBy(audit.stage.view, side.seen, domain);
  }, [audit, side.seen, domain]);
  const from = given !== null ? given.name : hub.name;
  return { ...audit, failure: failure ?? audit.failure, session, from, records, view };
}

function keyOf(text: string | null) {
  const bytes = text === null ? undefined : fromBase64url(text);
  return bytes?.length === 32 ? domainKey(bytes) : undefined;
}

/** What a participant had seen when it last wrote: its last entry and that entry's past. */
export function seenBy(view: View | NoView, wallet: Address, domain?: ReturnType<typeof domainKey>) {
  if (!view.ok) return view;
  const author = view.participants.indexOf(wallet);
  const last = view.order.findLast((move) => move.author === author);
  const seen = last === undefined ? [] : view.order.filter((move) => isInPast(move, last));
  return keepMoves(view, new Set(seen.map(({ ref }) => ref)), domain);
}
