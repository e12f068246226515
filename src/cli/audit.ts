// `coop audit`: collects, verifies every signature, and says what the session came to and which checks it passed.

import { describeForkProof, exitOfFork, readForkProof } from "../core/fork-proof.ts";
import { checkPlain } from "../core/signature.ts";
import { checksumAddress, parseTypedAddress, type Address } from "../core/values.ts";
import type { Json } from "../core/canonical.ts";
import { describeReason } from "../games/describe.ts";
import { concludeAudit, describeNote, type AuditConclusion } from "../session/conclude-audit.ts";
import { auditRecords, type AuditStage } from "../audit/audit-records.ts";
import { createInlineVerifier } from "../verify/verifier.inline.ts";
import { createNodePoolVerifier } from "../verify/pool.node.ts";
import { isOutsideSession } from "../audit/outside-session.ts";
import { readArguments } from "./arguments.ts";
import { EXIT, Unusable, type SafeConsole, type ExitCode } from "./console.ts";
import { formatAudit, witnessHint } from "./format-audit.ts";
import { playerNames } from "./player-names.ts";
import { readSource, readText, shown, type Source } from "./source.ts";

export const AUDIT_HELP = `coop audit <session id | bundle file | link | -> [--hub URL] [--witness ADDRESS]… [--all] [--json]
coop audit --fork FILE [--json]

Reads a session from its Hub, or a bundle from a file or standard input, verifies
every record, and prints the result, what failed or is missing, and why.
  --hub URL    read from there (default: the link's own, COOP_HUB, http://127.0.0.1:8787)
  --witness ADDRESS  a participant, whose copies are read where the genesis is gone;
               may stand several times (a link made here names the participants)
  --all        lists the checks that passed, too
  --json       one JSON object on standard output
  --fork FILE  check a proof of a fork; needs no Hub
Exit: 0 verified and decided, 1 a check failed, 2 incomplete or open, 3 unusable input.`;

/** Records from which workers are worth their start. */
const POOL_FROM = 2_000;

export async function audit(args: readonly string[], console: SafeConsole): Promise<ExitCode> {
  const given = readArguments(
    args,
    { values: ["hub", "fork"], lists: ["witness"], switches: ["json", "all"] },
    1,
  );
  const fork = given.value("fork");
  if (fork !== undefined) return auditFork(fork, given.has("json"), console);
  const [input] = given.positionals;
  if (input === undefined) throw new Unusable("audit what? Give a session id, a bundle's file or a link.");
  const witnesses = given.list("witness").map(readWitness);
  const source = await readSource(input, given.value("hub"), console, witnesses);
  const stage = await verify(source, console);
  if (!stage.view.ok && stage.view.code === "no-genesis") console.note(witnessHint(source));
  const isJson = given.has("json");
  const nameOf = isJson ? checksumAddress : playerNames(stage.view);
  const conclusion = concludeAudit(source, stage, nameOf);
  const code = exitOf(conclusion);
  if (isJson) console.json(asJson(source, stage, conclusion, code));
  else
    for (const { text, style } of formatAudit({ source, stage, conclusion, nameOf, all: given.has("all") }))
      console.styled(text, style);
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

/** Exit code of an audit: an open session is 2, however well it was checked. */
export function exitOf({ light, decided }: AuditConclusion): ExitCode {
  if (light === "Failed") return EXIT.failed;
  return light === "Checked" && decided ? EXIT.ok : EXIT.open;
}

/** The answer for programs. */
export function asJson(
  source: Source,
  stage: AuditStage,
  { checks, gaps }: AuditConclusion,
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
    notes: [...(source.stopped === null ? [] : [source.stopped]), ...source.notes.map(describeNote)],
    missing: gaps.map(({ says, weight: { could, why, wallets } }) => ({
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
