// Check that nobody cheated: three steps, each computed in front of the reader, then a copy of the records to cheat with.

import { useEffect, useState } from "react";
import {
  PROOF_STEPS,
  proveStep,
  type ProofState,
  type ProofStep,
  type ProofStepId,
} from "../../audit/fair-play.ts";
import { Dialog } from "../components/dialog.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { InertText } from "../components/inert-text.tsx";
import { Progress } from "../components/progress.tsx";
import { Sentence } from "../entry/sentence.tsx";
import type { Inspected } from "../inspector/session-model.ts";
import css from "./story.module.css";
import { TryToCheat } from "./try-to-cheat.tsx";

const TITLES: { readonly [id in ProofStepId]: string } = {
  "sealed-first": "Everybody sealed before anybody opened",
  "opens-seal": "Each opening fits its seal",
  "nothing-left-out": "Nothing was left out",
};

const WHY: { readonly [id in ProofStepId]: string } = {
  "sealed-first":
    "An opening must name, directly or through others, the seals of all. Who has not seen them could still have chosen.",
  "opens-seal":
    "What was opened is hashed again here, with session, player, round and salt. It must give the very hash that was sealed.",
  "nothing-left-out":
    "Each entry holds the hash of the one before it in its author’s log, so none can be taken out or put in.",
};

const NONE: { readonly [id in ProofStepId]: string } = {
  "sealed-first": "Nothing was sealed and opened here, so each move is judged by what its author had seen.",
  "opens-seal": "Nothing was sealed and opened here.",
  "nothing-left-out": "No entry to check.",
};

const WORDS: { readonly [state in ProofState]: readonly [word: string, icon: IconName] } = {
  passed: ["holds", "check"],
  caught: ["caught, and not counted", "warn"],
  failed: ["does not hold", "cross"],
  unchecked: ["can’t be said", "clock"],
  "not-applicable": ["does not apply", "dash"],
};

/** A moment between two steps, so that the eye can follow. */
const PAUSE_MS = 300;
const FACTS = 40;

export default function ProofDialog({ inspected, onClose }: { inspected: Inspected; onClose: () => void }) {
  const { view, verdict } = inspected;
  const [steps, setSteps] = useState<readonly ProofStep[]>([]);
  const next = PROOF_STEPS[steps.length];
  useEffect(() => {
    if (next === undefined) return;
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const timer = setTimeout(
      () => setSteps((before) => [...before, proveStep(next, view, verdict)]),
      still ? 0 : PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [next, view, verdict]);
  return (
    <Dialog title="Check that nobody cheated" onClose={onClose}>
      <ol className={css.steps} data-testid="proof">
        {steps.map((step) => (
          <Step key={step.id} step={step} inspected={inspected} />
        ))}
      </ol>
      {next !== undefined ? <Progress label={TITLES[next]} /> : <TryToCheat inspected={inspected} />}
    </Dialog>
  );
}

function Step({ step: { id, state, facts }, inspected }: { step: ProofStep; inspected: Inspected }) {
  const [word, icon] = WORDS[state];
  const { participants } = inspected.view;
  return (
    <li data-step={id} data-state={state}>
      <h3>
        <Icon name={icon} />
        {TITLES[id]}
        <span className={css.state}>{word}</span>
      </h3>
      <p className="muted">{facts.length === 0 ? NONE[id] : WHY[id]}</p>
      {facts.length > 0 && (
        <details open={state === "failed" || state === "caught"}>
          <summary>What was computed: {facts.length.toLocaleString("en")}</summary>
          <ul className={css.facts}>
            {facts.slice(0, FACTS).map((fact, i) => (
              <li key={i} data-fact={fact.state}>
                <Sentence say={(nameOf) => nameOf(fact.wallet)} participants={participants} />
                {id !== "nothing-left-out" && `, round ${fact.round}`}: {WORDS[fact.state][0]}
                <dl>
                  <dt>expected</dt>
                  <dd className="mono">
                    <InertText text={fact.expected} />
                  </dd>
                  <dt>found</dt>
                  <dd className="mono">
                    <InertText text={fact.found} />
                  </dd>
                </dl>
              </li>
            ))}
            {facts.length > FACTS && <li className="faint">and {facts.length - FACTS} more</li>}
          </ul>
        </details>
      )}
    </li>
  );
}
