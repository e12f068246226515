// One attempt at a time: a double click makes one move, and what went wrong is said beside the button.

import { useCallback, useRef, useState } from "react";
import { HubError } from "../../hub/hub-error.ts";
import { errorText } from "../../platform/coded-error.ts";

/** What went wrong, as a sentence. The Hub is looked at before anything is signed, so if it fails nothing was. */
export function formatFailure(error: unknown): string {
  const text = errorText(error);
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  if (!(error instanceof HubError)) return sentence;
  return `${sentence}. Nothing was signed; try again when the Hub answers.`;
}

export interface Attempts {
  readonly going: boolean;
  readonly problem: string | null;
  /** Does nothing while an attempt is under way. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<void>;
}

export function useAttempt(): Attempts {
  const busy = useRef(false);
  const [going, setGoing] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const attempt = useCallback(async (work: () => Promise<unknown>) => {
    // The ref, not the state: a second click may come before the first one is drawn.
    if (busy.current) return;
    busy.current = true;
    setGoing(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(formatFailure(error));
    } finally {
      busy.current = false;
      setGoing(false);
    }
  }, []);
  return { going, problem, attempt };
}
