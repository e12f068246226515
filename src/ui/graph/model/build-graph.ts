// From a view to its causal graph. Pure; time and space are linear in entries and refs.

import { finish, type Steps } from "../../../core/steps.ts";
import type { View } from "../../../core/view.ts";
import { collectSteps } from "./collect-nodes.ts";
import { linkSteps } from "./link-nodes.ts";
import { placeSteps } from "./place-nodes.ts";
import type { SessionGraph } from "./session-graph.ts";

/** Every record of the session's wallets has a node; a ref to what is not there ends at a ghost. */
export function buildGraph(view: View): SessionGraph {
  return finish(buildSteps(view));
}

/** The same in steps, for a page that must answer meanwhile. */
export function* buildSteps(view: View): Steps<SessionGraph> {
  const drafts = yield* collectSteps(view);
  const links = yield* linkSteps(view, drafts);
  return yield* placeSteps(drafts, links);
}
