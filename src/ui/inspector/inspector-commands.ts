// The commands of the inspector, for the palette and for single keys: its tabs, the graph, the next failed check, the
// audit link. Where the page goes somewhere else, the focus goes with it.

import { useEffect, useMemo } from "react";
import { auditUrl } from "../share/audit-url.ts";
import { copyText, pageClipboard } from "../components/clipboard.ts";
import { stateOf, type SessionGraph } from "../graph/model/session-graph.ts";
import type { Command } from "../services/commands.ts";
import { useStores } from "../services/stores.tsx";
import { TABS, type TabId } from "./inspector-params.ts";
import type { Inspected } from "./session-model.ts";

const TITLES: { readonly [tab in TabId]: string } = {
  graph: "Graph: what each entry had seen",
  chains: "Chains: one log after another",
  why: "Why: the reasons of the verdict",
  evidence: "Evidence: forks, rejected records, gaps",
  records: "Records: raw, download",
};

/** Where the focus goes, by what the page says of itself. */
const GRAPH = '[role="application"]';
const TAB = '[role="tab"][aria-selected="true"]';
/** The panel once it shows what was chosen, not what was shown before. */
export const PANEL = '[data-late="false"] > [data-testid="entry-panel"]';
const FAILED_CHECK = `${PANEL} [data-check][data-state="failed"] summary`;

/** Offers the commands while the inspector is there. `graph` is null until it is drawn. */
export function useInspectorCommands(inspected: Inspected, graph: SessionGraph | null): void {
  const { commands } = useStores();
  const offered = useMemo(() => commandsOf(inspected, graph), [inspected, graph]);
  useEffect(() => commands.getState().offer(offered), [commands, offered]);
}

function commandsOf(inspected: Inspected, graph: SessionGraph | null): readonly Command[] {
  const { change, state } = inspected;
  return [
    { id: "copy-link", title: "Copy audit link", key: "y", run: () => copyLink(inspected) },
    { id: "next-failed", title: "Next failed check", key: "n", run: () => nextFailed(inspected, graph) },
    ...TABS.map((tab, i) => ({
      id: `tab-${tab}`,
      title: TITLES[tab],
      key: String(i + 1),
      run: () => {
        change({ tab });
        focusSoon(tab === "graph" && !state.table ? GRAPH : TAB);
        return undefined;
      },
    })),
    {
      id: "table",
      title: state.table ? "Show the graph as a picture" : "Show the graph as a table",
      run: () => {
        change({ tab: "graph", table: !state.table });
        return undefined;
      },
    },
    ...(state.cut === null && state.observer === null
      ? []
      : [
          {
            id: "now",
            title: "Back to now",
            run: () => {
              change({ cut: null, observer: null });
              return undefined;
            },
          },
        ]),
  ];
}

async function copyLink(inspected: Inspected): Promise<string> {
  const link = auditUrl(inspected, { withState: true, withKey: false });
  if (!link.ok) return "There is no audit link: it would be too long.";
  if (!(await copyText(pageClipboard, link.url))) return "The browser refused to copy.";
  return inspected.domain === undefined
    ? "Audit link copied."
    : "Audit link copied, without the session’s key. Share has the link with it.";
}

/** Selects the failed entry after the selected one, in the order of the graph, and goes to its first failed check. */
function nextFailed({ state, change }: Inspected, graph: SessionGraph | null): string | undefined {
  if (graph === null) return "The graph is not drawn yet.";
  const failed = Array.from(graph.byColumn).filter((node) => stateOf(graph, node) === "failed");
  if (failed.length === 0)
    return graph.unplaced === 0
      ? "No check of an entry failed."
      : "What failed has no place in the graph: see Evidence.";
  const before = failed.findIndex((node) => graph.keys[node] === state.entry);
  change({ entry: graph.keys[failed[(before + 1) % failed.length]!]! });
  focusSoon(FAILED_CHECK);
  return undefined;
}

/** Once what was asked for has been drawn. */
export function focusSoon(selector: string): void {
  let frames = 0;
  const look = () => {
    const found = document.querySelector(selector);
    if (found instanceof HTMLElement) {
      found.focus();
      found.scrollIntoView({ block: "nearest" });
    } else if (frames++ < 60) requestAnimationFrame(look);
  };
  requestAnimationFrame(() => requestAnimationFrame(look));
}

/** From the entry back to the graph, where it is. */
export function backToGraph(): void {
  const graph = document.querySelector(GRAPH);
  if (graph instanceof HTMLElement) graph.focus();
}
