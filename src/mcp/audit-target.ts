// Audits a target and says what it came to, with the participants, so that the next audit can name them as witnesses.

import { checksumAddress, type Address } from "../core/values.ts";
import type { Json, JsonObject } from "../core/canonical.ts";
import { auditRecords, type AuditStage } from "../audit/audit-records.ts";
import { describeWeight } from "../audit/gap-impact.ts";
import {
  concludeAudit,
  describeLight,
  describeNote,
  type AuditConclusion,
} from "../session/conclude-audit.ts";
import { describeNoView, type NameOf } from "../games/describe.ts";
import { markedText, untrusted } from "../platform/inert.ts";
import type { Verifier } from "../verify/verifier.ts";
import { namesIn, participantData, verdictData, verdictSentences, type Described } from "./describe-game.ts";
import type { Target } from "./read-target.ts";

export interface Audited extends Described {
  readonly stage: AuditStage;
  readonly conclusion: AuditConclusion;
}

export async function auditTarget(target: Target, verifier: Verifier, me: Address): Promise<Audited> {
  const stage = await auditRecords(target.records, target.session, verifier, { domain: target.domain });
  const { view } = stage;
  const nameOf = view.ok
    ? namesIn(view.participants, view.participants.includes(me) ? me : null)
    : checksumAddress;
  const conclusion = concludeAudit(target, stage, nameOf);
  return {
    stage,
    conclusion,
    sentences: sentencesOf(target, stage, conclusion, nameOf),
    data: dataOf(target, stage, conclusion, nameOf, me),
  };
}

function sentencesOf(
  target: Target,
  stage: AuditStage,
  conclusion: AuditConclusion,
  nameOf: NameOf,
): string[] {
  const { view, verdict } = stage;
  const result = !view.ok
    ? [describeNoView(view.code, view.why?.at, view.why?.expected)]
    : verdict === null
      ? ["There is no verdict."]
      : verdictSentences(verdict, nameOf);
  const failed = conclusion.checks.filter(({ state }) => state === "failed");
  return [
    markedLight(describeLight(conclusion, stage, nameOf)),
    ...result,
    ...failed.map(
      ({ name, at, expected, found }) =>
        `Check ${name} failed at ${at}: expected ${expected}, found ${markedText(found)}.`,
    ),
    ...conclusion.gaps
      .slice(0, 10)
      .map(({ says, weight }) => `Missing: ${markedText(says)} ${describeWeight(weight, nameOf)}`),
    ...target.notAsked.map(
      (url) =>
        `The link names another Hub, which was not asked: ${markedText(url)}. To ask it, start with --hub.`,
    ),
  ];
}

/** The word of the light stands free; what follows may quote a record. */
function markedLight(text: string): string {
  const at = text.indexOf(": ");
  return `${text.slice(0, at)}: ${markedText(text.slice(at + 2))}`;
}

function dataOf(
  target: Target,
  { view, verdict, report }: AuditStage,
  { light, decided, checks, gaps }: AuditConclusion,
  nameOf: NameOf,
  me: Address,
): JsonObject {
  return {
    session: target.session,
    light,
    decided,
    participants: view.ok
      ? view.participants.map((one): Json => participantData(one, nameOf(one), one === me))
      : [],
    counts: { ...report.counts },
    verdict: verdict === null ? null : verdictData(verdict),
    checks: checks.map(({ name, state, expected, found, at }) => ({
      name,
      state,
      ...untrusted({ expected, found, at }),
    })),
    rejected: view.rejected.slice(0, 50).map(({ hash, rejection: { code, at, expected, found } }) => ({
      hash,
      code,
      ...untrusted({ at, expected, found }),
    })),
    missing: gaps
      .slice(0, 50)
      .map(({ says, weight }) => ({ could_change: weight.could, why: weight.why, ...untrusted(says) })),
    notes: [...target.notes.slice(0, 20).map((note) => untrusted(describeNote(note)))],
    hubs_not_asked: target.notAsked.map((url) => untrusted(url)),
  };
}
