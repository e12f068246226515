// The names of the lanes, over the left edge of the picture; they follow the camera up and down only.

import { Address } from "../components/address.tsx";
import { useCamera, type CameraStore } from "./camera-store.ts";
import { ROW_HEIGHT } from "./geometry.ts";
import css from "./graph.module.css";
import type { SessionGraph } from "./session-graph.ts";

export function LaneNames({
  graph,
  camera,
  gutter,
}: {
  readonly graph: SessionGraph;
  readonly camera: CameraStore;
  readonly gutter: number;
}) {
  const { y, zoom } = useCamera(camera);
  const among = graph.lanes.flatMap(({ wallet }) => (wallet === null ? [] : [wallet]));
  // Lanes too thin for their names show only as many as there is room for.
  const every = Math.max(1, Math.ceil(22 / (ROW_HEIGHT * zoom)));
  return (
    <div className={css.names} style={{ width: gutter }}>
      {graph.lanes.map((lane, i) => {
        if (i % every !== 0) return null;
        const middle = (lane.top + Math.min(lane.rows, 1) / 2) * ROW_HEIGHT * zoom + y;
        return (
          <div key={i} className={css.name} style={{ transform: `translateY(${Math.round(middle)}px)` }}>
            {lane.wallet === null ? (
              <span className="faint">others</span>
            ) : (
              <Address value={lane.wallet} among={among} place={i} focusable={false} />
            )}
          </div>
        );
      })}
    </div>
  );
}
