// The story of what is shown, made in slices: a long session has thousands of lines.

import { startTransition, useEffect, useState } from "react";
import type { StoryLine } from "../../audit/story-line.ts";
import { storySteps } from "../../audit/story.ts";
import type { View } from "../../core/view.ts";
import type { Verdict } from "../../games/game.ts";
import { defaultPace, runSteps } from "../../platform/time-slices.ts";

export interface Story {
  readonly view: View;
  readonly lines: readonly StoryLine[];
}

/** Null until the first is there; then the last that was made. */
export function useStory(view: View, verdict: Verdict): Story | null {
  const [story, setStory] = useState<Story | null>(null);
  useEffect(() => {
    const ended = new AbortController();
    runSteps(storySteps(view, verdict), defaultPace, ended.signal).then(
      (lines) => startTransition(() => setStory({ view, lines })),
      (error: unknown) => {
        if (ended.signal.aborted) return;
        setStory(() => {
          throw error; // while drawing, where the part's boundary shows it
        });
      },
    );
    return () => ended.abort();
  }, [view, verdict]);
  return story;
}
