// What the inspector's parts share about one session: the stage that is shown, its graph, the cut. Computed once a
// change, in the order in which it is needed: the verdict first, the picture after.

import type { DomainKey } from "../../core/sealed.ts";
import type { Address, Hash, Ref } from "../../core/values.ts";
import type { Hub } from "../../hub/hub.ts";
import type { View } from "../../core/view.ts";
import type { Verdict } from "../../games/game.ts";
import type { SessionGraph } from "../graph/model/session-graph.ts";
import type { SessionFollower, SessionSnapshot } from "../../session/session-follower.ts";
import type { AuditStage } from "../../audit/audit-records.ts";
import type { InspectorState } from "./inspector-params.ts";

export interface InspectorContext {
  readonly session: Ref;
  readonly params: URLSearchParams;
  readonly setParams: (next: URLSearchParams) => void;
  readonly state: InspectorState;
  readonly change: (change: Partial<InspectorState>) => void;
  readonly select: (key: string | null) => void;
  readonly follower: SessionFollower;
  /** Without its progress (`useProgress`). */
  readonly snapshot: SessionSnapshot;
  readonly domain: DomainKey | undefined;
  /** URLs of the Hubs that are asked. */
  readonly hubs: readonly string[];
  readonly hubObjects: readonly Hub[];
}

/** A session of which there is a view. */
export interface Inspected extends InspectorContext {
  readonly stage: AuditStage;
  readonly view: View;
  readonly verdict: Verdict;
  readonly nameOf: (wallet: Address) => string;
  /** Where an entry is shown, as a link of this page. */
  readonly hrefOf: (key: string) => string;
}

/** The cut as it is shown: what was there, the view of it and its verdict. */
export interface ShownCut {
  readonly graph: SessionGraph;
  readonly there: Uint8Array | null;
  readonly view: View;
  readonly verdict: Verdict;
  /** Whether it is all there is, for everybody. */
  readonly live: boolean;
}

/** Records by what is known of them at this stage. */
export interface Tally {
  readonly passed: number;
  readonly covered: number;
  readonly failed: number;
  readonly unchecked: number;
  readonly total: number;
}

export function tallyOf({ report: { counts, states } }: AuditStage): Tally {
  return {
    passed: counts.verified,
    covered: counts.covered,
    failed: counts.rejected,
    unchecked: counts.unchecked,
    total: states.length,
  };
}

/** What a pinned digest comes to. */
export type PinnedResult =
  | { readonly kind: "none" }
  | { readonly kind: "checking" }
  | { readonly kind: "same"; readonly digest: Hash }
  | { readonly kind: "different"; readonly pinned: Hash; readonly found: Hash }
  | { readonly kind: "unknown"; readonly pinned: Hash; readonly why: string };

/** Whether the verdict that a link claims was reached; only a verified stage of a complete view says so. */
export function comparePinned(
  pinned: Hash | undefined,
  stage: AuditStage | null,
  working: boolean,
): PinnedResult {
  if (pinned === undefined) return { kind: "none" };
  if (stage === null || (stage.level !== "verified" && working)) return { kind: "checking" };
  const { view, verdict } = stage;
  if (!view.ok) return working ? { kind: "checking" } : { kind: "unknown", pinned, why: NO_VIEW[view.code] };
  if (verdict === null || !verdict.ok)
    return {
      kind: "unknown",
      pinned,
      why: verdict?.code === "sealed" ? NO_VIEW.sealed : "there is no verdict",
    };
  if (stage.level !== "verified")
    return { kind: "unknown", pinned, why: "not every signature has been checked" };
  if (view.unchecked.length > 0)
    return { kind: "unknown", pinned, why: `${view.unchecked.length} records could not be checked` };
  if (verdict.digest === pinned) return { kind: "same", digest: pinned };
  return { kind: "different", pinned, found: verdict.digest };
}

const NO_VIEW = {
  "no-genesis": "the genesis is not among the records that were found",
  "bad-genesis": "the genesis is not well formed",
  "bad-key": "the key in the link is not this session's key",
  sealed: "the session is sealed, and the link holds no key",
};
