// What would come out if the session closed now, by the resolver itself, and what closing means: no clock.

import type { View } from "../../../core/view.ts";
import { describeOutcome } from "../../../games/describe.ts";
import { judgeIfClosed } from "../../../games/judge.ts";
import { InertText } from "../../components/inert-text.tsx";
import css from "./boards.module.css";
import { formatName, type Known } from "../names.ts";
import { formatDefaultOutcome } from "../invite/offers.ts";

export function IfClosed({ view, known }: { view: View; known: Known }) {
  const then = judgeIfClosed(view);
  if (!then.ok || then.outcome === null || view.closed) return null;
  const nameOf = (wallet: `0x${string}`) => formatName(known, wallet);
  return (
    <p className={css.foot}>
      The session closes when somebody has used its {view.share} entries; there is no clock. If it closed now:{" "}
      <strong>
        <InertText text={describeOutcome(then.outcome, nameOf)} translatable />
      </strong>
      . Declared for moves still owed: {formatDefaultOutcome(view.terms.default_outcome, nameOf)}.
    </p>
  );
}
