// Parts of the inspector that are no part of its first picture: the tabs of tables and of evidence. Each is a script of
// its own, fetched by the way, so that it is there when the network is gone.

import { lazy } from "react";

const loadChains = () => import("./chains-tab.tsx");
const loadEvidence = () => import("../evidence/evidence-tab.tsx");
const loadRecords = () => import("../evidence/records-tab.tsx");
const loadTable = () => import("./graph-table.tsx");

export const ChainsTab = lazy(() => loadChains().then(({ ChainsTab }) => ({ default: ChainsTab })));
export const EvidenceTab = lazy(loadEvidence);
export const RecordsTab = lazy(() => loadRecords().then(({ RecordsTab }) => ({ default: RecordsTab })));
export const GraphTable = lazy(() => loadTable().then(({ GraphTable }) => ({ default: GraphTable })));

/** Fetches them before they are asked for; what fails is asked for again with its tab. */
export function fetchLateParts(): void {
  for (const load of [loadChains, loadEvidence, loadRecords, loadTable]) load().catch(() => undefined);
}
