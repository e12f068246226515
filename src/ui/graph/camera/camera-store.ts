// The camera as a store of its own, so that panning redraws what follows it and nothing else.

import { useSyncExternalStore } from "react";
import type { Camera } from "./geometry.ts";

export interface CameraStore {
  readonly get: () => Camera;
  readonly set: (camera: Camera) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createCameraStore(initial: Camera): CameraStore {
  let camera = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => camera,
    set(next) {
      if (next.x === camera.x && next.y === camera.y && next.zoom === camera.zoom) return;
      camera = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useCamera(store: CameraStore): Camera {
  return useSyncExternalStore(store.subscribe, store.get);
}
