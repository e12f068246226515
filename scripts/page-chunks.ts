// Which script of the built app a module goes into: few scripts by what is needed together, since a page waits for the
// slowest of many small ones. What no group reaches stays where the bundler puts it.

import { fileURLToPath } from "node:url";

const page = (path: string) => fileURLToPath(new URL(`../src/ui/${path}`, import.meta.url));

/** In this order: a module that several groups reach belongs to the first. */
const GROUPS: readonly { readonly name: string; readonly roots: readonly string[] }[] = [
  { name: "shell", roots: [page("app/main.tsx")] },
  // What every page but the first needs, and the session's own.
  { name: "session", roots: [page("services/environment.ts"), page("inspector/inspector-page.tsx")] },
  {
    name: "details",
    roots: [
      "inspector/chains-tab.tsx",
      "inspector/graph-table.tsx",
      "evidence/evidence-tab.tsx",
      "evidence/records-tab.tsx",
      "share/share-dialog.tsx",
      "search/palette.tsx",
      "app/held-logs.tsx",
    ].map(page),
  },
  {
    name: "play",
    roots: ["play/start/play-page.tsx", "play/invite/join-page.tsx", "play/board/board-page.tsx"].map(page),
  },
];

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** The group of each module that is imported, not loaded later, from a group's roots. */
export function groupsOf(graph: ModuleGraph): ReadonlyMap<string, string> {
  const groups = new Map<string, string>();
  for (const { name, roots } of GROUPS) {
    const open = [...roots];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (groups.has(id)) continue;
      const info = graph.getModuleInfo(id);
      if (info === null) continue;
      groups.set(id, name);
      open.push(...info.importedIds);
    }
  }
  return groups;
}

let groups: ReadonlyMap<string, string> | undefined;

/** For `codeSplitting` of the bundler: the name of a module's script, null where the bundler decides. */
export function chunkOf(id: string, graph: ModuleGraph): string | null {
  groups ??= groupsOf(graph);
  return groups.get(id) ?? null;
}
