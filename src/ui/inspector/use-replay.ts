// Replay of the moves from the first to the last: one at a time, a long session in larger steps.

import { useEffect, useRef, useState } from "react";

const STEP_MS = 900;
/** A replay has at most so many steps. */
const STEPS = 60;

export interface Replay {
  readonly isPlaying: boolean;
  readonly toggle: () => void;
}

/** `at`: moves that are shown; `go` shows so many. */
export function useReplay(at: number, last: number, go: (next: number) => void): Replay {
  const [isPlaying, setPlaying] = useState(false);
  const latest = useRef(go);
  useEffect(() => {
    latest.current = go;
  });
  const step = Math.max(1, Math.ceil(last / STEPS));
  const isOver = at >= last;
  if (isPlaying && isOver) setPlaying(false);
  useEffect(() => {
    if (!isPlaying || isOver) return;
    const timer = setTimeout(() => latest.current(at + step), STEP_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, isOver, at, step]);
  const toggle = () => {
    if (!isPlaying && isOver) latest.current(0);
    setPlaying(!isPlaying);
  };
  return { isPlaying, toggle };
}
