// `coop audit`: collects, verifies every signature, and says what the session came to and which checks it passed.

import { compareHeads } from "../core/heads.ts";
import { describeForkProof, exitOfFork, readForkProof } from "../core/fork-proof.ts";
import { checkPlain } from "../core/signature.ts";
import { checksumAddress, parseTypedAddress, type Address } from "../core/values.ts";
import type { Json } from "../core/canonical.ts";
import { describeGap, describeReason, describeVerdict } from "../games/describe.ts";
import { notedMissing } from "../session/noted-gaps.ts";
import { auditRecords, type AuditStage } from "../audit/audit-records.ts";
import { describeCheck, type NamedCheck } from "../audit/record-checks.ts";
import { describeWeight, missingOf, weigher, type GapWeight } from "../audit/gap-impact.ts";
import { createInlineVerifier } from "../verify/verifier.inline.ts";
import { createNodePoolVerifier } from "../verify/pool.node.ts";
import { isOutsideSession } from "../audit/outside-session.ts";
import { checkSession } from "../audit/session-checks.ts";
import { readArguments } from "./arguments.ts";
import { EXIT, Unusable, type SafeConsole, type ExitCode } from "./console.ts";
import { readSource, readText, sayNote, shown, type Source } from "./source.ts";

export const AUDIT_HELP = `coop audit <session id | bundle file | link | -> [--hub URL] [--witness ADDRESS]… [--json]
coop audit --fork FILE [--json]

Reads a session from its Hub, or a bundle from a file or standard input, verifies
every record, and prints the verdict and the checks.
  --hub URL    read from there (default: the link's own, COOP_HUB, http://127.0.0.1:8787)
  --witness ADDRESS  a participant, whose copies are read where the genesis is gone;
               may stand several times (a link made here names the participants)
  --json       one JSON object on standard output
  --fork FILE  check a proof of a fork; needs no Hub
Exit: 0 verified and decided, 1 a check failed, 2 incomplete or open, 3 unusable input.`;

/** Records from which workers are worth their start. */
const POOL_FROM = 2_000;

export async function audit(args: readonly string[], console: SafeConsole): Promise<ExitCode> {
  const given = readArguments(args, { values: ["hub", "fork"], lists: ["witness"], switches: ["json"] }, 1);
  const fork = given.value("fork");
  if (fork !== undefined) return auditFork(fork, given.has("json"), console);
  const [input] = given.positionals;
  if (input === undefined) throw new Unusable("audit what? Give a session id, a bundle's file or a link.");
  const witnesses = given.list("witness").map(readWitness);
  const source = await readSource(input, given.value("hub"), console, witnesses);
  const stage = await verify(source, console);
  if (!stage.view.ok && stage.view.code === "no-genesis") console.note(hintOf(source));
  const checks = sessionChecks(source, stage);
  const code = exitOf(source, stage, checks);
  if (given.has("json")) console.json(asJson(source, stage, checks, code));
  else print(source, stage, checks, console);
  return code;
}

/** @throws Unusable */
function readWitness(text: string): Address {
  const typed = parseTypedAddress(text);
  if (typed.ok) return typed.address;
  throw new Unusable(
    `--witness ${shown(text)}: ${typed.code === "bad-checksum" ? "an address with a wrong checksum" : "not an address"}`,
  );
}

function hintOf({ witnesses }: Source): string {
  return witnesses.length === 0
    ? "the genesis is not there: its author may have deleted it. Each participant keeps copies; name one by --witness <address>, or open a link made here, which names them"
    : `the genesis is not there, and neither ${witnesses.length === 1 ? "the witness has" : `any of ${witnesses.length} witnesses has`} a copy; name another participant by --witness <address>`;
}

async function auditFork(path: string, json: boolean, console: SafeConsole): Promise<ExitCode> {
  const result = readForkProof(await readText(path, console), checkPlain);
  if (!json) console.out(describeForkProof(result));
  else if (result.ok) {
    const { wallet, seq, a, b } = result.value;
    console.json({ ok: true, wallet, seq, a: a.ref, b: b.ref });
  } else console.json({ ok: false, ...result.error });
  return exitOfFork(result);
}

/** Verifies the records at both levels; progress on stderr. */
export async function verify(source: Source, console: SafeConsole): Promise<AuditStage> {
  const verifier = source.records.length >= POOL_FROM ? createNodePoolVerifier() : createInlineVerifier();
  let said = 0;
  try {
    return await auditRecords(source.records, source.session, verifier, {
      domain: source.domain,
      onStage: ({ level }) => console.note(`${level}: ${source.records.length} records`),
      onProgress: ({ done, total, level }) => {
        if (level !== "verified" || (done - said < 1000 && done < total)) return;
        said = done;
        console.note(`verified ${done} of ${total}`);
      },
    });
  } finally {
    verifier.close();
  }
}

/** The session's checks, and whether what a link pins was found again. */
export function sessionChecks(source: Source, { view, verdict }: AuditStage): readonly NamedCheck[] {
  const checks: NamedCheck[] = [...checkSession(view, verdict, source.verdict)];
  if (source.heads === undefined || !view.ok) return checks;
  const compared = compareHeads(view, source.heads);
  const found = "by" in compared ? `${compared.kind} by ${compared.by}` : compared.kind;
  const state = compared.kind === "rewritten" ? "failed" : compared.kind === "less" ? "unchecked" : "passed";
  checks.push({ name: "heads", state, expected: "what the link was made from", found, at: "h" });
  return checks;
}

function exitOf(
  { notes, stopped }: Source,
  { view, verdict }: AuditStage,
  checks: readonly NamedCheck[],
): ExitCode {
  if (checks.some(({ state }) => state === "failed")) return EXIT.failed;
  if (!view.ok) return view.code === "no-genesis" ? EXIT.open : EXIT.failed;
  if (view.rejected.some((record) => !isOutsideSession(view, record))) return EXIT.failed;
  if (verdict?.ok === false) return verdict.code === "sealed" ? EXIT.open : EXIT.failed;
  const isRead = stopped === null && !notes.some(({ kind }) => kind === "failed" || kind === "capped");
  if (!view.complete || !isRead || view.level !== "verified") return EXIT.open;
  if (checks.some(({ state, name }) => state === "unchecked" && name !== "log")) return EXIT.open;
  return verdict?.status === "decided" ? EXIT.ok : EXIT.open;
}

function print(source: Source, stage: AuditStage, checks: readonly NamedCheck[], console: SafeConsole): void {
  const { view, verdict, report } = stage;
  console.out(`session ${source.session}`);
  console.out(`from ${source.from.join(", ")}`);
  if (view.ok) console.out(`game ${view.terms.game}, ${view.participants.length} participants`);
  else console.out(`no view: ${view.code}`);
  const { verified, rejected, unchecked } = report.counts;
  console.out(`records: ${verified} verified, ${rejected} rejected, ${unchecked} not checked`);
  for (const record of view.rejected) {
    const { hash, rejection } = record;
    const outside = view.ok && isOutsideSession(view, record) ? " (outside of this session)" : "";
    console.out(
      `  rejected ${hash}${outside}: ${rejection.code} at ${rejection.at}: expected ${rejection.expected}, found ${rejection.found}`,
    );
  }
  for (const { hash, why } of view.unchecked) console.out(`  not checked ${hash}: ${why}`);
  for (const check of checks) console.out(describeCheck(check));
  if (source.stopped !== null) console.out(`note: ${source.stopped}`);
  for (const note of source.notes) if (note.kind !== "repeated") console.out(`note: ${sayNote(note)}`);
  for (const { says, weight } of gapsOf(source, stage))
    console.out(`missing: ${says} ${describeWeight(weight, checksumAddress)}`);
  if (verdict === null) return;
  console.out(`verdict: ${describeVerdict(verdict, checksumAddress)}`);
  if (!verdict.ok) return;
  console.out(`finality: ${verdict.finality}; digest ${verdict.digest}`);
  for (const reason of verdict.reasons) console.out(`  ${describeReason(reason, checksumAddress)}`);
}

interface WeighedGap {
  readonly says: string;
  readonly weight: GapWeight;
}

/** What is missing, and whether it could change the verdict. */
function gapsOf({ notes }: Source, { view, verdict }: AuditStage): readonly WeighedGap[] {
  if (!view.ok || verdict === null) return [];
  const weigh = weigher(view, verdict);
  const logs = view.members.flatMap((member) => {
    const missing = missingOf(view, member);
    return missing === null
      ? []
      : [{ says: describeGap(member, checksumAddress) ?? "", weight: weigh(missing) }];
  });
  const waiting = view.pending.flatMap(({ entry, missing }) =>
    missing.map((ref) => ({ says: `${entry.ref} waits for ${ref}.`, weight: weigh({ kind: "ref", ref }) })),
  );
  const noted = notes.flatMap((note) => {
    const missing = notedMissing(note);
    return missing === null ? [] : [{ says: `${sayNote(note)}.`, weight: weigh(missing) }];
  });
  return [...logs, ...waiting, ...noted];
}

/** The answer for programs. */
export function asJson(
  source: Source,
  stage: AuditStage,
  checks: readonly NamedCheck[],
  exit: ExitCode,
): Json {
  const { view, verdict, report, level } = stage;
  return {
    session: source.session,
    from: source.from,
    exit,
    level,
    counts: { ...report.counts },
    view: view.ok
      ? {
          game: view.terms.game,
          participants: view.participants,
          share: view.share,
          used: Object.fromEntries(view.members.map(({ wallet, used }) => [wallet, used])),
          complete: view.complete,
          closed: view.closed,
          accepted: view.order.filter(({ inTime }) => inTime).map(({ ref }) => ref),
          late: view.order.filter(({ inTime }) => !inTime).map(({ ref }) => ref),
          pending: view.pending.map(({ entry }) => entry.ref),
        }
      : { error: view.code },
    rejected: view.rejected.map((record) => {
      const { code, at, expected, found } = record.rejection;
      const outside = view.ok && isOutsideSession(view, record);
      return { hash: record.hash, code, at, expected, found, outside };
    }),
    unchecked: view.unchecked.map(({ hash, why }) => ({ hash, why })),
    checks: checks.map(({ name, state, expected, found, at }) => ({ name, state, expected, found, at })),
    notes: [...(source.stopped === null ? [] : [source.stopped]), ...source.notes.map(sayNote)],
    missing: gapsOf(source, stage).map(({ says, weight: { could, why, wallets } }) => ({
      says,
      could_change: could,
      why,
      wallets,
    })),
    verdict: verdictJson(verdict),
  };
}

function verdictJson(verdict: AuditStage["verdict"]): Json {
  if (verdict === null) return null;
  if (!verdict.ok) return { error: verdict.code };
  const { status, outcome, waiting, finality, digest, basis } = verdict;
  const flags = verdict.flags.map(({ ref, code }) => [ref, code]);
  const reasons = verdict.reasons.map((reason) => describeReason(reason, checksumAddress));
  return { status, outcome, waiting, finality, digest, flags, basis, reasons };
}
