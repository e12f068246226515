// From a view to its causal graph. Pure; time and space are linear in entries and refs.

import type { View } from "../../core/view.ts";
import { collectNodes } from "./collect-nodes.ts";
import { linkNodes } from "./link-nodes.ts";
import { placeNodes } from "./place-nodes.ts";
import type { SessionGraph } from "./session-graph.ts";

/** Every record of the session's wallets has a node; a ref to what is not there ends at a ghost. */
export function buildGraph(view: View): SessionGraph {
  const drafts = collectNodes(view);
  const links = linkNodes(view, drafts);
  return placeNodes(drafts, links);
}
