// What is being looked at, as the parameters behind `?` in the address: an audit link is the state. Reading never fails;
// what is malformed counts as not given.

import { isAddress, isHash, isRef, type Address, type Hash } from "../../core/values.ts";
import { NODE_STATES, type NodeState } from "../graph/model/session-graph.ts";

export const TABS = ["graph", "chains", "why", "evidence", "records"] as const;
export type TabId = (typeof TABS)[number];

export const RELATIONS = ["before", "after", "concurrent"] as const;
export type Relation = (typeof RELATIONS)[number];

export interface Filters {
  readonly types: readonly string[];
  readonly wallets: readonly Address[];
  readonly states: readonly NodeState[];
  /** Only entries in this relation to the selected one. */
  readonly relation: Relation | null;
}

export interface InspectorState {
  readonly tab: TabId;
  /** Key of the selected node: a ref, or `record:<hash>`. */
  readonly entry: string | null;
  /** So many moves of the order are shown; null: all, and what comes. */
  readonly cut: number | null;
  /** Shown is what this participant had seen at the cut. */
  readonly observer: Address | null;
  readonly filters: Filters;
  readonly folded: boolean;
  /** The graph as a table. */
  readonly table: boolean;
}

export const NO_FILTERS: Filters = { types: [], wallets: [], states: [], relation: null };

export function readState(params: URLSearchParams): InspectorState {
  const tab = TABS.find((id) => id === params.get("tab")) ?? "graph";
  const entry = params.get("entry");
  const observer = params.get("observer");
  return {
    tab,
    entry: entry !== null && isNodeKey(entry) ? entry : null,
    cut: readCut(params.get("cut")),
    observer: isAddress(observer) ? observer : null,
    filters: {
      types: list(params.get("types")).filter((type) => /^[a-z][a-z0-9-]{0,31}$/.test(type)),
      wallets: list(params.get("wallets")).filter((wallet) => isAddress(wallet)),
      states: NODE_STATES.filter((state) => list(params.get("states")).includes(state)),
      relation: RELATIONS.find((relation) => relation === params.get("relation")) ?? null,
    },
    folded: params.get("folded") === "yes",
    table: params.get("table") === "yes",
  };
}

/** The parameters with some of the state changed; what has its default is left out, what is not ours stays. */
export function withState(params: URLSearchParams, change: Partial<InspectorState>): URLSearchParams {
  const state = { ...readState(params), ...change };
  const next = new URLSearchParams(params);
  const set = (name: string, value: string | null) => {
    if (value === null || value === "") next.delete(name);
    else next.set(name, value);
  };
  set("tab", state.tab === "graph" ? null : state.tab);
  set("entry", state.entry);
  set("cut", state.cut === null ? null : String(state.cut));
  set("observer", state.observer);
  set("types", state.filters.types.join("."));
  set("wallets", state.filters.wallets.join("."));
  set("states", state.filters.states.join("."));
  set("relation", state.filters.relation);
  set("folded", state.folded ? "yes" : null);
  set("table", state.table ? "yes" : null);
  return next;
}

/** Only the parameters that say what is being looked at, for an audit link. */
export function stateParams(params: URLSearchParams): ReadonlyMap<string, string> {
  const ours = withState(new URLSearchParams(), readState(params));
  return new Map(ours);
}

/** The verdict digest that the link claims, if it claims one. */
export function pinnedVerdict(params: URLSearchParams): Hash | undefined {
  const v = params.get("v");
  return isHash(v) ? v : undefined;
}

export function isFiltered(filters: Filters): boolean {
  const { types, wallets, states, relation } = filters;
  return types.length + wallets.length + states.length > 0 || relation !== null;
}

function isNodeKey(text: string): boolean {
  return isRef(text) || (text.startsWith("record:") && isHash(text.slice(7)));
}

function readCut(text: string | null): number | null {
  return text !== null && /^(0|[1-9][0-9]{0,6})$/.test(text) ? Number(text) : null;
}

function list(text: string | null): string[] {
  return text === null || text === "" ? [] : text.split(".");
}
