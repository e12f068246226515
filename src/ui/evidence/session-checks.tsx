// The checks of the session as a whole, folded away while all is well.

import { useMemo } from "react";
import { checkSession } from "../../audit/session-checks.ts";
import { describeCompleteness } from "../../games/describe.ts";
import { CheckList } from "../entry/check-list.tsx";
import css from "../inspector/inspector.module.css";
import { pinnedVerdict } from "../inspector/inspector-params.ts";
import type { Inspected } from "../inspector/session-model.ts";

export function SessionChecks({ inspected }: { inspected: Inspected }) {
  const { view, verdict, params } = inspected;
  const pinned = pinnedVerdict(params);
  const checks = useMemo(() => checkSession(view, verdict, pinned), [view, verdict, pinned]);
  const failed = checks.filter(({ state }) => state === "failed").length;
  const open = checks.filter(({ state }) => state === "unchecked").length;
  return (
    <details className={css.sessionChecks} data-testid="session-checks">
      <summary>
        <span className={failed > 0 ? css.fail : open > 0 ? css.wait : css.pass}>
          Session checks: {checks.length - failed - open} of {checks.length} in order
          {failed > 0 && `, ${failed} failed`}
          {open > 0 && `, ${open} not checked`}
        </span>
        <span className={css.complete}>{describeCompleteness(view)}</span>
      </summary>
      <CheckList checks={checks} label="Checks of the session" />
    </details>
  );
}
