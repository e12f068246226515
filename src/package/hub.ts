// Public entry `coop-explorer/hub`: a Hub as a client sees it, in memory and over HTTP.

/**
 * Hubs hold records and are not trusted: what they answer is bytes to verify. {@link HttpHub} speaks the `/v1` interface
 * of the public Membase Hub, {@link MemoryHub} is one for tests and demonstrations. Failures are {@link HubError}s with a
 * code; `isTransient` says whether a later attempt may succeed.
 *
 * @example
 * const hub = new HttpHub("https://hub.example", systemHubEnvironment());
 *
 * @module hub
 */

export type { Hub, Receipt, Signer } from "../hub/hub.ts";
export { MemoryHub } from "../hub/hub.memory.ts";
export { HttpHub } from "../hub/hub.http.ts";
export type { HttpHubOptions } from "../hub/hub.http.ts";
export { BrowserHub, openBrowserHub } from "../hub/hub.indexeddb.ts";
export { systemHubEnvironment } from "../hub/hub-environment.ts";
export type { HubEnvironment } from "../hub/retry.ts";
export { HubError, isRefusal, isTransient } from "../hub/hub-error.ts";
export type { HubErrorCode } from "../hub/hub-error.ts";
export { appendKey, mirrorConversation, mirrorKey, writeEntry, writeMirror } from "../hub/log-keys.ts";
export { readLog, READ_LIMITS } from "../hub/read-log.ts";
export type { LogRecord, ReadLimits, ReadLogOptions, ReadNote } from "../hub/read-log.ts";
