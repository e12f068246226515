// Where a single-file report begins: reads the bundle that the file carries, verifies it here, and shows what it found.
// Runs from disk, without any request; only JavaScript, so that a policy without WebAssembly is enough.

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createEngine, plainMethods } from "../../verify/engine.ts";
import { createInlineRunner } from "../../verify/verifier.inline.ts";
import { defaultPace } from "../../platform/time-slices.ts";
import { verifyRecords } from "../../verify/levels.ts";
import type { Verifier } from "../../verify/verifier.ts";
import { followTheme } from "../theme/theme.ts";
import "../theme/tokens.css";
import "../theme/base.css";
import { readReportData } from "../../audit/build-report.ts";
import { Report } from "./report.tsx";

const runner = createInlineRunner(Promise.resolve(createEngine(plainMethods)), defaultPace);
const verifier: Verifier = {
  verify: (records, options) => verifyRecords(runner, records, options),
  close: () => runner.close(),
};

followTheme(
  { root: document.documentElement, systemDark: window.matchMedia("(prefers-color-scheme: dark)") },
  () => "system",
  () => () => undefined,
);

const content = readReportData(document.getElementById("report-data")?.textContent ?? "");

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <Report content={content} verifier={verifier} />
  </StrictMode>,
);
