// Public entry `coop-explorer/verify`: checks records by the thousand, and audits a session.

/**
 * Verification of many records and the audit of a session. Runs in browsers and in Node alike; in Node,
 * `createNodePoolVerifier` of `coop-explorer/node` spreads the work over threads, in a page {@link createBrowserVerifier}
 * does. Two levels, always named in the result: `authenticated` (hashes, and the signatures that cover each chain), then
 * `verified` (every signature). What was not checked says so; it never passes.
 *
 * @example
 * const verifier = createInlineVerifier();
 * const bundle = readBundle(text);
 * if (bundle.ok) {
 *   const { view, verdict, report } = await auditRecords(bundle.records, bundle.session, verifier);
 *   console.log(report.counts, verdict?.ok === true && verdict.outcome);
 * }
 *
 * @module verify
 */

export { createInlineVerifier } from "../verify/verifier.inline.ts";
export type { InlineOptions } from "../verify/verifier.inline.ts";
export { createBrowserVerifier } from "../verify/pool.browser.ts";
export { createPoolVerifier } from "../verify/verifier.pool.ts";
export type { After, PoolOptions } from "../verify/verifier.pool.ts";
export type { WorkerHandle } from "../verify/worker-protocol.ts";
export type { Place, Progress, RecordState, Report, Verifier, VerifyOptions } from "../verify/verifier.ts";
export { createMemoryCache } from "../verify/findings-cache.ts";
export type { FindingCache } from "../verify/findings-cache.ts";
export { loadMethods, plainMethods } from "../verify/engine.ts";
export type { Methods } from "../verify/engine.ts";
export { auditRecords } from "../audit/audit-records.ts";
export type { AuditOptions, AuditStage } from "../audit/audit-records.ts";
export { checkRecord, describeCheck, RECORD_CHECKS } from "../audit/record-checks.ts";
export type { CheckState, NamedCheck, RecordCheckName } from "../audit/record-checks.ts";
export { checkSession, SESSION_CHECKS } from "../audit/session-checks.ts";
export type { SessionCheckName } from "../audit/session-checks.ts";
export { compareViews } from "../audit/compare-views.ts";
export type { Comparison, Difference } from "../audit/compare-views.ts";
export { defaultPace } from "../platform/time-slices.ts";
export type { Pace } from "../platform/time-slices.ts";
