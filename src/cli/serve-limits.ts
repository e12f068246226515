// The limits of `coop serve` as options: one row each, with what it sets and in which unit. docs/operations.md has the
// same rows with what is answered; a test compares both.

import { QUOTA, type Quota, type Usage } from "../server/quota.ts";
import { RELAY_LIMITS, type RelayLimits } from "../server/relay-limits.ts";
import { REQUEST_LIMITS, type RequestLimits } from "../server/request-limits.ts";
import type { Arguments } from "./arguments.ts";
import { Unusable } from "./console.ts";

type Target =
  | readonly ["request", keyof Omit<RequestLimits, "loopback">]
  | readonly ["relay", keyof RelayLimits]
  | readonly ["quota", keyof Quota, keyof Usage];

interface LimitOption {
  readonly name: string;
  readonly sets: Target;
  /** What one of the option's unit is in the limit's own. */
  readonly unit: number;
  readonly says: string;
}

const MIB = 1024 * 1024;

export const LIMIT_OPTIONS: readonly LimitOption[] = [
  { name: "wallet-mib", sets: ["quota", "wallet", "bytes"], unit: MIB, says: "MiB of one wallet" },
  { name: "wallet-objects", sets: ["quota", "wallet", "objects"], unit: 1, says: "objects of one wallet" },
  { name: "wallet-buckets", sets: ["quota", "wallet", "buckets"], unit: 1, says: "buckets of one wallet" },
  { name: "wallet-writes", sets: ["quota", "wallet", "rows"], unit: 1, says: "writings ever of one wallet" },
  { name: "total-mib", sets: ["quota", "all", "bytes"], unit: MIB, says: "MiB of all wallets" },
  { name: "total-objects", sets: ["quota", "all", "objects"], unit: 1, says: "objects of all wallets" },
  { name: "total-buckets", sets: ["quota", "all", "buckets"], unit: 1, says: "buckets of all wallets" },
  { name: "total-writes", sets: ["quota", "all", "rows"], unit: 1, says: "writings ever of all wallets" },
  { name: "requests", sets: ["request", "perSecond"], unit: 1, says: "requests a second by address" },
  { name: "requests-burst", sets: ["request", "burst"], unit: 1, says: "requests at once by address" },
  {
    name: "sign-ins",
    sets: ["request", "signInsPerSecond"],
    unit: 1,
    says: "new sign-ins a second by address",
  },
  {
    name: "sign-ins-burst",
    sets: ["request", "signInsBurst"],
    unit: 1,
    says: "new sign-ins at once by address",
  },
  {
    name: "write-kib",
    sets: ["request", "writeBytesPerSecond"],
    unit: 1024,
    says: "KiB stored a second by address",
  },
  {
    name: "write-burst-kib",
    sets: ["request", "writeBytesBurst"],
    unit: 1024,
    says: "KiB stored at once by address",
  },
  { name: "connections", sets: ["request", "connections"], unit: 1, says: "open connections in all" },
  {
    name: "address-connections",
    sets: ["request", "connectionsPerAddress"],
    unit: 1,
    says: "open connections by address",
  },
  {
    name: "incoming-mib",
    sets: ["request", "incomingBytes"],
    unit: MIB,
    says: "MiB of bodies on their way in",
  },
  {
    name: "address-incoming-mib",
    sets: ["request", "incomingBytesPerAddress"],
    unit: MIB,
    says: "the same by address",
  },
  {
    name: "outgoing-mib",
    sets: ["request", "outgoingBytes"],
    unit: MIB,
    says: "MiB of answers not read yet",
  },
  {
    name: "address-outgoing-mib",
    sets: ["request", "outgoingBytesPerAddress"],
    unit: MIB,
    says: "the same by address",
  },
  {
    name: "answer-seconds",
    sets: ["request", "answerMs"],
    unit: 1000,
    says: "seconds in which an answer is read",
  },
  { name: "relay-connections", sets: ["relay", "connections"], unit: 1, says: "relay connections in all" },
  {
    name: "relay-address-connections",
    sets: ["relay", "connectionsPerAddress"],
    unit: 1,
    says: "the same by address",
  },
  { name: "relay-topics", sets: ["relay", "subscriptions"], unit: 1, says: "topics followed in all" },
  {
    name: "relay-address-topics",
    sets: ["relay", "subscriptionsPerAddress"],
    unit: 1,
    says: "topics followed by address",
  },
  { name: "relay-kept-topics", sets: ["relay", "retainedTopics"], unit: 1, says: "topics with kept refs" },
  {
    name: "relay-frames",
    sets: ["relay", "framesPerSecondPerAddress"],
    unit: 1,
    says: "frames a second by address",
  },
  {
    name: "relay-frames-burst",
    sets: ["relay", "burstPerAddress"],
    unit: 1,
    says: "frames at once by address",
  },
  {
    name: "relay-refs",
    sets: ["relay", "refsPerSecondPerAddress"],
    unit: 1,
    says: "refs published a second by address",
  },
  {
    name: "relay-refs-burst",
    sets: ["relay", "refsBurstPerAddress"],
    unit: 1,
    says: "refs published at once by address",
  },
];

export const LIMIT_NAMES: readonly string[] = LIMIT_OPTIONS.map(({ name }) => name);

/** An option's default, in its own unit. */
export function defaultOf({ sets, unit }: LimitOption): number {
  if (sets[0] === "request") return REQUEST_LIMITS[sets[1]] / unit;
  return (sets[0] === "relay" ? RELAY_LIMITS[sets[1]] : QUOTA[sets[1]][sets[2]]) / unit;
}

export const LIMITS_HELP = `Limits, each with a number (docs/operations.md says what is answered):
${LIMIT_OPTIONS.map((option) => `  --${option.name} N`.padEnd(33) + `${option.says} (${defaultOf(option)})`).join("\n")}`;

export interface Limits {
  readonly limits: Partial<RequestLimits>;
  readonly relayLimits: Partial<RelayLimits>;
  readonly quota: Quota;
}

/** @throws Unusable naming the option that is no whole number */
export function readLimits(given: Arguments): Limits {
  const limits: Partial<Record<keyof Omit<RequestLimits, "loopback">, number>> = {};
  const relayLimits: Partial<Record<keyof RelayLimits, number>> = {};
  const quota = { wallet: { ...QUOTA.wallet }, all: { ...QUOTA.all } };
  for (const { name, sets, unit } of LIMIT_OPTIONS) {
    const text = given.value(name);
    if (text === undefined) continue;
    if (!/^\d{1,12}$/.test(text)) throw new Unusable(`--${name} ${text}: a limit is a whole number`);
    const value = Number(text) * unit;
    if (sets[0] === "request") limits[sets[1]] = value;
    else if (sets[0] === "relay") relayLimits[sets[1]] = value;
    else quota[sets[1]][sets[2]] = value;
  }
  return {
    limits: { ...limits, loopback: given.has("limit-loopback") },
    relayLimits,
    quota,
  };
}
