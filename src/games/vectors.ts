// Session vectors: what a view and its verdict are as plain data, so that another implementation's answers compare.
// Used by the test suite and by `coop vectors`.

import { buildView } from "../core/build-view.ts";
import { fromHex } from "../core/bytes.ts";
import type { JsonObject } from "../core/canonical.ts";
import type { CheckSignature } from "../core/entry.ts";
import { domainKey } from "../core/seal.ts";
import { checkPlain } from "../core/signature.ts";
import type { Ref } from "../core/values.ts";
import type { View } from "../core/view.ts";
import type { Verdict } from "./game.ts";
import { judge } from "./judge.ts";

export interface SessionVector {
  readonly name?: string;
  readonly session: Ref;
  readonly records: readonly string[];
  /** K_d as hex without 0x. */
  readonly key?: string;
  readonly expect: JsonObject;
}

/** What this implementation answers to a session vector, in the vectors' own form. */
export function answer(
  { session, records, key }: Omit<SessionVector, "expect">,
  check?: CheckSignature,
): JsonObject {
  const domain = key === undefined ? undefined : domainKey(fromHex(`0x${key}`));
  const view = buildView(records, session, { check: check ?? checkPlain, domain });
  return view.ok ? describeView(view) : { error: view.code };
}

function describeView(view: View): JsonObject {
  const verdict = judge(view);
  const refs = (late: boolean) => view.order.filter(({ inTime }) => inTime !== late).map(({ ref }) => ref);
  return {
    accepted: refs(false),
    late: refs(true),
    used: byWallet(view, ({ used }) => used),
    closed: view.closed,
    faults: byWallet(view, ({ fault }) => fault?.seq),
    gaps: byWallet(view, ({ gap }) => (gap === null ? undefined : { seq: gap.seq, code: gap.code })),
    pending: view.pending.map(({ entry }) => entry.ref),
    rejected: view.rejected.map(({ hash, rejection }) => [hash, rejection.code]),
    verdict: describeVerdict(verdict),
    ...(verdict.ok && { flags: verdict.flags.map(({ ref, code }) => [ref, code]).sort(comparePairs) }),
  };
}

function describeVerdict(verdict: Verdict): JsonObject {
  if (!verdict.ok) return { error: verdict.code };
  const { status, outcome, waiting, finality, digest } = verdict;
  return { status, outcome, waiting, finality, digest };
}

function byWallet(
  view: View,
  read: (member: View["members"][number]) => JsonObject | number | undefined,
): JsonObject {
  return Object.fromEntries(
    view.members.flatMap((member) => {
      const value = read(member);
      return value === undefined ? [] : [[member.wallet, value]];
    }),
  );
}

function comparePairs(a: readonly string[], b: readonly string[]): number {
  const [x, y] = [a.join(" "), b.join(" ")];
  return x < y ? -1 : x > y ? 1 : 0;
}
