// An audit as lines for people: the result and the trust light first, what failed or is missing in full, what passed as a
// number, why the verdict is what it is, and what to do next. Pure.

import {
  describeFinality,
  describeNoView,
  describeReason,
  describeVerdict,
  plural,
} from "../games/describe.ts";
import type { NameOf } from "../games/describe.ts";
import { checksumAddress } from "../core/values.ts";
import type { AuditStage } from "../audit/audit-records.ts";
import { describeWeight } from "../audit/gap-impact.ts";
import { isOutsideSession } from "../audit/outside-session.ts";
import { describeCheck, type NamedCheck } from "../audit/record-checks.ts";
import { describeLight, describeNote, type AuditConclusion } from "../session/conclude-audit.ts";
import type { Style } from "./console.ts";
import { nameAddresses } from "./player-names.ts";
import { authorsIn, type Source } from "./source.ts";

export interface Line {
  readonly text: string;
  readonly style?: Style;
}

export interface AuditTexts {
  readonly source: Source;
  readonly stage: AuditStage;
  readonly conclusion: AuditConclusion;
  readonly nameOf: NameOf;
  /** Lists the checks that passed. */
  readonly all: boolean;
}

const LIGHT_STYLE = { Checked: "good", Incomplete: "warn", Failed: "bad" } as const;

export function formatAudit(texts: AuditTexts): readonly Line[] {
  const { source, stage, conclusion, nameOf } = texts;
  const named = (text: string): string => nameAddresses(text, nameOf);
  return [
    { text: resultOf(texts), style: "bold" },
    { text: named(describeLight(conclusion, stage, nameOf)), style: LIGHT_STYLE[conclusion.light] },
    { text: "" },
    ...headLines(texts),
    ...[...recordLines(stage), ...checkLines(texts), ...gapLines(source, conclusion)].map((line) => ({
      ...line,
      text: named(line.text),
    })),
    ...reasonLines(texts),
    { text: "" },
    { text: `Next: ${nextStep(texts)}` },
  ];
}

/** The result in one sentence, or why there is none. */
function resultOf({ stage: { view, verdict }, nameOf }: AuditTexts): string {
  if (!view.ok)
    return `No result: ${lowerFirst(describeNoView(view.code, view.why?.at, view.why?.expected))}`;
  if (verdict === null) return "No result: nothing could be judged.";
  const result = describeVerdict(verdict, nameOf);
  return verdict.ok && verdict.status === "decided"
    ? `${result} ${describeFinality(verdict, nameOf)}`
    : result;
}

function headLines({ source, stage: { view }, nameOf }: AuditTexts): Line[] {
  const lines = [{ text: `session ${source.session}` }, { text: `from ${source.from.join(", ")}` }];
  if (!view.ok) return lines;
  const players = view.participants.map((wallet) => `${nameOf(wallet)} = ${checksumAddress(wallet)}`);
  return [...lines, { text: `game ${view.terms.game}` }, ...players.map((text) => ({ text: `  ${text}` }))];
}

function recordLines({ view, report }: AuditStage): Line[] {
  const { verified, rejected, unchecked } = report.counts;
  const lines: Line[] = [
    { text: `records: ${verified} verified, ${rejected} rejected, ${unchecked} not checked` },
  ];
  for (const record of view.rejected) {
    const { hash, rejection } = record;
    const isOutside = view.ok && isOutsideSession(view, record);
    const where = isOutside ? " (outside of this session)" : "";
    const { code, at, expected, found } = rejection;
    const text = `  rejected ${hash}${where}: ${code} at ${at}: expected ${expected}, found ${found}`;
    lines.push(isOutside ? { text } : { text, style: "bad" });
  }
  for (const { hash, why } of view.unchecked)
    lines.push({ text: `  not checked ${hash}: ${why}`, style: "warn" });
  return lines;
}

const isPassed = ({ state }: NamedCheck): boolean => state === "passed" || state === "not-applicable";

/** Passed checks are counted, those of each entry as one. */
function checkLines({ stage, conclusion: { checks }, all }: AuditTexts): Line[] {
  const shown = checks.filter((check) => all || !isPassed(check));
  const entries = stage.view.ok && stage.view.level === "verified" ? [...stage.view.entries.keys()] : [];
  const passed = checks.filter(({ state }) => state === "passed").length + entries.length;
  const hint = all ? "" : " (--all lists them)";
  return [
    ...(all ? entries.map((ref) => ({ text: `${ref}: passed (form, signature)` })) : []),
    ...shown.map((check): Line => {
      const text = describeCheck(check);
      return check.state === "failed"
        ? { text, style: "bad" }
        : check.state === "unchecked"
          ? { text, style: "warn" }
          : { text };
    }),
    { text: `${plural(passed, "check", "checks")} passed${hint}`, style: "good" },
  ];
}

function gapLines({ stopped, notes }: Source, { gaps }: AuditConclusion): Line[] {
  const lines: Line[] = stopped === null ? [] : [{ text: `note: ${stopped}`, style: "warn" }];
  for (const note of notes) if (note.kind !== "repeated") lines.push({ text: `note: ${describeNote(note)}` });
  for (const { says, weight } of gaps)
    lines.push({ text: `missing: ${says} ${describeWeight(weight, checksumAddress)}`, style: "warn" });
  return lines;
}

function reasonLines({ stage: { verdict }, nameOf }: AuditTexts): Line[] {
  if (verdict?.ok !== true) return [];
  return [
    { text: "why:" },
    ...verdict.reasons.map((reason) => ({ text: `  ${describeReason(reason, nameOf)}` })),
    { text: `finality: ${verdict.finality}; digest ${verdict.digest}` },
  ];
}

/** What the reader can do now. */
function nextStep({ source, stage: { view, verdict }, conclusion, nameOf }: AuditTexts): string {
  const { light, decided, gaps } = conclusion;
  if (light === "Failed")
    return `look at what failed: coop inspect ${inputOf(source)}. Compare with another copy before you trust either.`;
  if (!view.ok) return witnessHint(source);
  if (verdict?.ok === false) return "open the link that carries the session's key.";
  if (light === "Incomplete")
    return gaps.some(({ weight }) => weight.could)
      ? `look for what is missing at another Hub: coop audit ${source.session} --hub <URL>.`
      : "audit again when the Hub can be read; what is missing now could not change the result.";
  if (!decided) {
    const waiting = verdict?.ok === true ? verdict.waiting.map(nameOf) : [];
    const who = waiting.length === 0 ? "the players" : waiting.join(" and ");
    return `wait for ${who} to move, then audit again.`;
  }
  if (isFile(source))
    return `share the file; it verifies without a network. One entry: coop inspect ${source.from[0]!} --entry <ref>.`;
  return `keep the evidence: coop bundle ${source.session} --out session.coop.jsonl. It verifies without a network.`;
}

function inputOf(source: Source): string {
  return isFile(source) ? source.from[0]! : source.session;
}

function isFile({ from }: Source): boolean {
  return from.length === 1 && !/^https?:|^standard input$/.test(from[0]!);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** So many authors are named at most: one that is honest is enough. */
const MAX_NAMED = 8;

/** Where a missing genesis may be found: its author may have deleted it, and each participant keeps copies. */
export function witnessHint(source: Source): string {
  const { witnesses, session } = source;
  const authors = authorsIn(source)
    .filter((wallet) => !witnesses.includes(wallet))
    .slice(0, MAX_NAMED);
  const gone =
    witnesses.length === 0
      ? "the genesis is missing: its author may have deleted it"
      : `the genesis is missing, and no copy is with ${witnesses.map(checksumAddress).join(", ")}`;
  if (authors.length === 0)
    return `${gone}. Each participant keeps copies; name one by --witness <address>, or open a link made here, which names them`;
  const named = authors.map((wallet) => `--witness ${checksumAddress(wallet)}`).join(" ");
  return `${gone}. The authors of its entries keep copies: coop audit ${session} ${named}`;
}
