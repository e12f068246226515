// Public entry `coop-explorer/node`: what runs in Node alone: threads for verification, keys and stores in files.

/**
 * For Node: a verifier over worker threads, a key-value store and a vault of keys in files. Everything else of the package
 * runs in browsers too.
 *
 * @module node
 */

export { createNodePoolVerifier } from "../verify/pool.node.ts";
export { fileStore } from "../platform/key-value-store.node.ts";
export { fileVault } from "../wallet/vault.node.ts";
export type { Vault, VaultKey } from "../wallet/vault.ts";
