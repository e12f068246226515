// The audit link of a session as it is shown, whole: this app's address and what is behind its `#`.

import { writeAuditLink } from "../../core/audit-link.ts";
import { headsOf } from "../../core/heads.ts";
import type { Address } from "../../core/values.ts";
import type { View } from "../../core/view.ts";
import { stateParams } from "../inspector/inspector-params.ts";
import type { Inspected } from "../inspector/session-model.ts";
import { appUrl } from "../routing/use-route.ts";

/** Only a verified verdict is passed on. */
export function digestOf({ verdict, stage }: Inspected) {
  return verdict.ok && stage.level === "verified" ? verdict.digest : undefined;
}

/** Who keeps copies of what the genesis' author wrote: a link that names them is of use after that author erased it. */
export function witnessesOf({ participants, genesis }: View): readonly Address[] {
  return participants.filter((wallet) => wallet !== genesis.wallet);
}

export interface AuditUrlOptions {
  /** With the entry, cut and filters that are looked at. */
  readonly withState: boolean;
  /** With the session's key: anyone with the link can read the sealed entries. */
  readonly withKey: boolean;
}

/** The link, or why there is none: it would be too long. */
export function auditUrl(inspected: Inspected, { withState, withKey }: AuditUrlOptions) {
  const { session, params, stage, view, snapshot, domain, hubs } = inspected;
  const link = writeAuditLink({
    session,
    hubs: snapshot.state === "given" ? [] : hubs,
    verdict: digestOf(inspected),
    key: withKey ? domain?.key : undefined,
    heads: stage.level === "verified" ? headsOf(view) : undefined,
    witnesses: witnessesOf(view),
    state: withState ? stateParams(params) : new Map(),
  });
  if (!link.ok) return link;
  return { ok: true as const, url: `${appUrl()}${link.hash}` };
}
