// The names of the lanes, over the left edge of the picture; they follow the camera up and down only.

import { memo, useMemo } from "react";
import type { Address as AddressValue } from "../../core/values.ts";
import { useNames } from "../names/names-context.tsx";
import { AddressMark } from "../components/address-mark.tsx";
import { Address } from "../components/address.tsx";
import { briefAddress } from "../components/short-address.ts";
import { useCamera, type CameraStore } from "./camera/camera-store.ts";
import { rowsOnScreen, type Size } from "./camera/geometry.ts";
import css from "./graph.module.css";
import type { SessionGraph } from "./model/session-graph.ts";

export function LaneNames({
  graph,
  camera,
  gutter,
  far,
  screen,
}: {
  readonly graph: SessionGraph;
  readonly camera: CameraStore;
  readonly gutter: number;
  readonly far: boolean;
  readonly screen: () => Size;
}) {
  const rows = rowsOnScreen(graph, useCamera(camera), screen(), far);
  const among = useMemo(
    () => graph.lanes.flatMap(({ wallet }) => (wallet === null ? [] : [wallet])),
    [graph],
  );
  // Lanes too thin for their names show only as many as there is room for.
  const every = Math.max(1, Math.ceil(22 / rows.height));
  return (
    <div className={css.names} style={{ width: gutter }}>
      {graph.lanes.map((lane, i) => {
        if (i % every !== 0) return null;
        const middle = (lane.top + Math.min(lane.rows, 1) / 2) * rows.height + rows.top;
        return (
          <div key={i} className={css.name} style={{ transform: `translateY(${Math.round(middle)}px)` }}>
            {lane.wallet === null ? (
              <span className="faint">others</span>
            ) : (
              <LaneName wallet={lane.wallet} among={among} place={i} narrow={gutter < 120} />
            )}
          </div>
        );
      })}
    </div>
  );
}

interface LaneNameProps {
  readonly wallet: AddressValue;
  readonly among: readonly AddressValue[];
  readonly place: number;
  readonly narrow: boolean;
}

/**
 * The name, without digits; where there is none and little room, the first digits. The panel and the tables have the rest. Drawn once, however
 * the camera moves: the checksum of an address is a hash.
 */
const LaneName = memo(function LaneName({ wallet, among, place, narrow }: LaneNameProps) {
  const kind = useNames()?.look(wallet).kind ?? "address";
  if (!narrow || kind !== "address")
    return <Address value={wallet} among={among} place={place} focusable={false} digits={false} />;
  return (
    <span className={css.narrow} title={wallet}>
      <AddressMark address={wallet} place={place} size={12} />
      <span className="mono">{briefAddress(wallet, among, 4)}</span>
    </span>
  );
});
