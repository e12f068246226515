// Two sessions, Hubs, files or observers side by side. Each is verified by itself before anything is compared.

import { useState } from "react";
import type { Ref } from "../../core/values.ts";
import type { SideName } from "../../audit/compare-views.ts";
import { Button } from "../components/button.tsx";
import { InertText } from "../components/inert-text.tsx";
import { Notice } from "../components/notice.tsx";
import { describeNoView } from "../../games/describe.ts";
import { to } from "../routing/routes.ts";
import type { Source } from "../services/sources.ts";
import css from "./compare.module.css";
import { DifferenceList } from "./difference-list.tsx";
import { SidePanel } from "./side-panel.tsx";
import { readSide, swapSides, withSide, type Side } from "./sides.ts";
import { useSide, type SideState } from "./use-side.ts";

export interface ComparePageProps {
  readonly params: URLSearchParams;
  readonly setParams: (next: URLSearchParams) => void;
}

interface Files {
  readonly a: Source | null;
  readonly b: Source | null;
}

export default function ComparePage({ params, setParams }: ComparePageProps) {
  const [files, setFiles] = useState<Files>({ a: null, b: null });
  const [again, setAgain] = useState(0);
  const sides = { a: readSide(params, "a"), b: readSide(params, "b") };
  const states = {
    a: useSide(sides.a, files.a, again),
    b: useSide(sides.b, files.b, again),
  };
  const panel = (name: SideName) => (
    <SidePanel
      name={name}
      side={sides[name]}
      file={files[name]}
      state={states[name]}
      onSide={(side) => setParams(withSide(params, name, side))}
      onFile={(file) => setFiles({ ...files, [name]: file })}
    />
  );
  const swap = () => {
    setFiles({ a: files.b, b: files.a });
    setParams(swapSides(params));
  };
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>Compare</h1>
        <p className="muted">
          Two Hubs, files or observers of a session, aligned by wallet and place in its log; or two sessions.
        </p>
        <div className={css.actions}>
          <Button size="s" icon="right" onClick={swap}>
            Swap A and B
          </Button>
          <Button size="s" icon="refresh" onClick={() => setAgain(again + 1)}>
            Read again
          </Button>
        </div>
      </header>
      <div className={css.sides}>
        {panel("a")}
        {panel("b")}
      </div>
      <Result a={states.a} b={states.b} sides={sides} />
    </div>
  );
}

function Result({ a, b, sides }: { a: SideState; b: SideState; sides: Record<SideName, Side> }) {
  if (a.session === null || b.session === null)
    return (
      <Notice large kind="empty" title="Nothing to compare yet">
        Give each side a session id, an audit link or a bundle.
      </Notice>
    );
  for (const [name, { view }] of [["A", a] as const, ["B", b] as const])
    if (view !== null && !view.ok)
      return (
        <Notice kind="error" title={`There is no view of ${name} to compare`}>
          <InertText text={describeNoView(view.code, view.why?.at, view.why?.expected)} />
        </Notice>
      );
  if (a.view?.ok !== true || b.view?.ok !== true)
    return <Notice kind="info" title="The comparison begins when both sides are verified" />;
  const hrefOf = (side: SideName, ref: Ref) => {
    const { session } = { a, b }[side];
    const params = new URLSearchParams();
    const { hub, key } = sides[side];
    if (hub !== null) params.set("hub", hub);
    if (key !== null) params.set("k", key);
    params.set("entry", ref);
    return to.session(session!, params);
  };
  return <DifferenceList a={a.view} b={b.view} hrefOf={hrefOf} />;
}
