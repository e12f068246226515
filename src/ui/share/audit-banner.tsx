// What the opened link claims, against what was found here: the same verdict, another one, or no answer, and why. Heads
// that the link pins say whether the session is the same, has grown, or was rewritten.

import { readAuditLink } from "../../core/audit-link.ts";
import { compareHeads, type HeadsComparison } from "../../core/heads.ts";
import type { Ref } from "../../core/values.ts";
import { Notice } from "../components/notice.tsx";
import type { AuditStage } from "../../audit/audit-records.ts";
import { pinnedVerdict } from "../inspector/inspector-params.ts";
import { comparePinned } from "../inspector/session-model.ts";
import css from "./audit.module.css";

export interface AuditBannerProps {
  readonly session: Ref;
  readonly params: URLSearchParams;
  readonly stage: AuditStage | null;
  /** Something is still being read or checked. */
  readonly working: boolean;
}

export function AuditBanner({ session, params, stage, working }: AuditBannerProps) {
  const pinned = comparePinned(pinnedVerdict(params), stage, working);
  const heads = stage?.view.ok === true ? headsIn(session, params, stage) : null;
  switch (pinned.kind) {
    case "none":
      return null;
    case "checking":
      return (
        <div data-audit="checking">
          <Notice kind="info" title="Checking what this link claims">
            Everything is verified anew, here.
          </Notice>
        </div>
      );
    case "same":
      return (
        <div data-audit={heads?.kind === "rewritten" ? "rewritten" : "same"}>
          <Notice
            kind={heads?.kind === "rewritten" ? "error" : "pass"}
            title={heads?.kind === "rewritten" ? "Rewritten" : "Same verdict reached"}
          >
            {`The link’s verdict was reached again from scratch in this browser.${formatHeads(heads)}`}
          </Notice>
        </div>
      );
    case "different":
      return (
        <div data-audit={heads?.kind === "rewritten" ? "rewritten" : "different"}>
          <Notice
            kind="error"
            title={
              heads?.kind === "grown" ? "The session has moved on" : "Not the verdict that the link claims"
            }
          >
            <p>{formatHeadsDifference(heads)}</p>
            <dl className={css.digests}>
              <dt>the link claims</dt>
              <dd className="mono">{pinned.pinned}</dd>
              <dt>found here</dt>
              <dd className="mono">{pinned.found}</dd>
            </dl>
          </Notice>
        </div>
      );
    case "unknown":
      return (
        <div data-audit="unknown">
          <Notice kind="warn" title="The link’s verdict could not be checked">
            {`Why: ${pinned.why}. That is no confirmation, and no contradiction either.`}
          </Notice>
        </div>
      );
  }
}

function headsIn(session: Ref, params: URLSearchParams, stage: AuditStage): HeadsComparison | null {
  if (!stage.view.ok || !params.has("h")) return null;
  const read = readAuditLink(`#/s/${session}?h=${encodeURIComponent(params.get("h")!)}`);
  return read.ok && read.heads !== undefined ? compareHeads(stage.view, read.heads) : null;
}

function formatHeads(heads: HeadsComparison | null): string {
  switch (heads?.kind) {
    case undefined:
      return "";
    case "same":
      return " It rests on the very same entries as when the link was made.";
    case "grown":
      return ` Since the link was made ${heads.by} more ${heads.by === 1 ? "entry has" : "entries have"} come; all that was there is unchanged.`;
    case "less":
      return ` But ${heads.by} ${heads.by === 1 ? "entry that was" : "entries that were"} there then ${heads.by === 1 ? "is" : "are"} not served now.`;
    case "rewritten":
      return " But the logs are not the ones that the link was made from: some entry was replaced.";
  }
}

function formatHeadsDifference(heads: HeadsComparison | null): string {
  switch (heads?.kind) {
    case "grown":
      return `The session has grown by ${heads.by} since the link was made, all before it unchanged, and the verdict is another now.`;
    case "less":
      return `Entries that were there when the link was made (${heads.by}) are not served now: something is withheld.`;
    case "rewritten":
      return "The logs are not the ones that the link was made from: some entry was replaced.";
    default:
      return "Either the link was changed, or the records are not the ones that it was made from.";
  }
}
