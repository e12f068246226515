// Public entry `coop-explorer/core`: what other projects may import of the protocol itself.

/**
 * The protocol: canonical JSON, entries, sessions, views, bundles, links and proofs of a fork. Pure and synchronous; no
 * clock, no randomness, no I/O, and neither DOM nor Node. Input that is wrong comes back as data ({@link Result} or a value
 * with `ok: false`), with what was expected and what was found; nothing here throws because of what a stranger wrote.
 * Rules: docs/protocol.md.
 *
 * @example
 * const parsed = parseCandidate(line);
 * const checked = parsed.ok ? acceptCandidate(parsed.value, checkPlain) : parsed;
 * if (!checked.ok) console.error(checked.error.code, checked.error.at);
 *
 * @module core
 */

export { canonicalize, CanonicalError, isObject, own, parseJson } from "../core/canonical.ts";
export type { CanonicalCode, Json, JsonObject } from "../core/canonical.ts";
export { fail, ok } from "../core/result.ts";
export type { Failure, Ok, Result } from "../core/result.ts";
export {
  checksumAddress,
  formatRef,
  isAddress,
  isHash,
  isRef,
  parseRef,
  parseTypedAddress,
  sha256,
} from "../core/values.ts";
export type { Address, Hash, Ref, RefParts, Sha256, SignatureHex, TypedAddress } from "../core/values.ts";
export {
  acceptCandidate,
  ENTRY_CODES,
  MAX_ENTRY_BYTES,
  MAX_RECORD_BYTES,
  MAX_REFS,
  parseCandidate,
  signedText,
  unsignedText,
  wireForm,
} from "../core/entry.ts";
export type {
  Candidate,
  CheckSignature,
  Entry,
  EntryCode,
  Rejection,
  SignatureResult,
  SignedEntry,
  Unchecked,
  UnsignedEntry,
} from "../core/entry.ts";
export {
  addressOf,
  checkByRecovery,
  checkPlain,
  personalDigest,
  personalMessage,
} from "../core/signature.ts";
export type { Recover } from "../core/signature.ts";
export {
  MAX_DEADLINE,
  MAX_PARTICIPANTS,
  MAX_TITLE,
  PROTOCOL,
  readTerms,
  readTermsBody,
  shareOf,
} from "../core/session.ts";
export type { BadGenesis, DefaultOutcome, Domain, Terms } from "../core/session.ts";
export { assembleView, buildView, cutView } from "../core/build-view.ts";
export type { BuildOptions } from "../core/build-view.ts";
export { readBag } from "../core/bag.ts";
export type { Bag, ReadOptions, Record } from "../core/bag.ts";
export { areConcurrent, isInPast } from "../core/view.ts";
export type {
  Fault,
  Gap,
  GapCode,
  Level,
  Member,
  Move,
  NoView,
  PendingEntry,
  RejectedRecord,
  UncheckedRecord,
  View,
} from "../core/view.ts";
export { BUNDLE_EXTENSION, BUNDLE_FORMAT, readBundle, writeBundle } from "../core/bundle.ts";
export type { BadBundle, Bundle } from "../core/bundle.ts";
export { readAuditLink, writeAuditLink } from "../core/audit-link.ts";
export type { AuditLink, BadLink, LinkCode } from "../core/audit-link.ts";
export {
  describeForkProof,
  FORK_CODES,
  FORK_EXTENSION,
  FORK_FORMAT,
  readForkProof,
  writeForkProof,
} from "../core/fork-proof.ts";
export type { ForkCode, ForkProof, NoForkProof } from "../core/fork-proof.ts";
export { compareHeads, headsOf } from "../core/heads.ts";
export type { Heads, HeadsComparison } from "../core/heads.ts";
export { domainKey, sealBody } from "../core/seal.ts";
export { domainKeyHash, fitsDomain, openBody } from "../core/sealed.ts";
export type { Decrypt, DomainKey, SealedPlace } from "../core/sealed.ts";
export { finish } from "../core/steps.ts";
export type { Steps } from "../core/steps.ts";
