// The card beside the entry that is pointed at or focused: who, what, whether it counts and why, what it had seen and
// what saw it.

import { useMemo } from "react";
import type { Address } from "../../core/values.ts";
import { AddressMark } from "../components/address-mark.tsx";
import { InertText } from "../components/inert-text.tsx";
import { useCamera, type CameraStore } from "./camera/camera-store.ts";
import { xOf, yOf, type Size } from "./camera/geometry.ts";
import type { Faces } from "./faces/faces.ts";
import { factsOf } from "./faces/node-facts.ts";
import { NODE_HEIGHT } from "./faces/node-drawing.ts";
import css from "./graph.module.css";
import type { Light } from "./model/light.ts";
import type { SessionGraph } from "./model/session-graph.ts";

export interface EntryCardProps {
  readonly graph: SessionGraph;
  readonly faces: Faces;
  readonly node: number;
  readonly light: Light;
  readonly camera: CameraStore;
  readonly screen: () => Size;
  readonly nameOf: (wallet: Address) => string;
}

const WIDTH = 248;
/** Nodes lower than this part of the stage have their card above them. */
const LOW = 0.5;

export function EntryCard({ graph, faces, node, light, camera, screen, nameOf }: EntryCardProps) {
  const { x, y, zoom } = useCamera(camera);
  const { wallet, did, counts, won, round } = useMemo(
    () => factsOf(graph, node, faces),
    [graph, node, faces],
  );
  const { width, height } = screen();
  const at = { x: xOf(graph, node) * zoom + x, y: yOf(graph, node) * zoom + y };
  if (at.x < 0 || at.y < 0 || at.x > width || at.y > height) return null;
  const left = Math.max(4, Math.min(width - WIDTH - 4, at.x - WIDTH / 2));
  const gap = (NODE_HEIGHT / 2) * zoom + 8;
  const place = at.y > height * LOW ? { bottom: height - at.y + gap } : { top: at.y + gap };
  return (
    <div className={css.card} style={{ left, width: WIDTH, ...place }} data-testid="entry-card" aria-hidden>
      <p>
        {wallet !== null && <AddressMark address={wallet} place={graph.lane[node]} size={12} />}{" "}
        <strong>
          <InertText text={wallet === null ? "A wallet outside the session" : nameOf(wallet)} />
        </strong>{" "}
        <InertText text={did} />
        {round !== null && <span className="faint">, round {round}</span>}
      </p>
      {counts !== "" && (
        <p data-counts>
          <InertText text={counts} />.
        </p>
      )}
      {won !== "" && <p>★ {won}.</p>}
      <p className="faint">
        Had seen {plural(light.past)}; seen by {plural(light.future)}.
      </p>
    </div>
  );
}

function plural(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "entry" : "entries"}`;
}
