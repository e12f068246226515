// The tools of an auditor: audit, compare, export a bundle, export a report. They sign nothing.

import { z } from "zod";
import { buildReport, REPORT_EXTENSION } from "../audit/build-report.ts";
import { compareViews, type Difference } from "../audit/compare-views.ts";
import { BUNDLE_EXTENSION, writeBundle } from "../core/bundle.ts";
import type { JsonObject } from "../core/canonical.ts";
import type { Ref } from "../core/values.ts";
import type { View } from "../core/view.ts";
import { untrusted } from "../platform/inert.ts";
import { auditTarget, type Audited } from "./audit-target.ts";
import { addressOf, auditLink, bundleUri, type Desk } from "./desk.ts";
import { readAddress } from "./game-tools.ts";
import { MAX_BUNDLE, readTarget, type Target } from "./read-target.ts";
import { Refusal } from "./refusal.ts";
import { defineTool, type Tool, type ToolAnswer } from "./tool.ts";

const TARGET = z.string().max(MAX_BUNDLE).describe("a session id, an audit link, or the text of a bundle");
const WITNESSES = z
  .array(z.string())
  .max(128)
  .default([])
  .describe("participants whose copies are read where the genesis is missing");
/** A bundle up to this length is read along with the answer. */
const MAX_ATTACHED = 256 * 1024;
const MAX_DIFFERENCES = 50;

export function auditTools(desk: Desk): readonly Tool[] {
  return [auditSession(desk), compareSessions(desk), exportBundle(desk), exportReport(desk)];
}

async function auditText(desk: Desk, text: string, witnesses: readonly string[] = []) {
  const target = await readTarget(text, desk.hubs, witnesses.map(readAddress));
  return { target, audited: await auditTarget(target, desk.environment.verifier, addressOf(desk)) };
}

function answerOf(desk: Desk, { sentences, data, stage: { view } }: Audited): ToolAnswer {
  return { sentences, data: view.ok ? { ...data, audit_link: auditLink(desk, view) } : data };
}

function auditSession(desk: Desk): Tool {
  return defineTool({
    name: "audit",
    description:
      "Verifies every signature, link and rule of a session from scratch. Answers with Checked, Incomplete or Failed, the result, and why.",
    isReadOnly: true,
    input: z.strictObject({ target: TARGET, witnesses: WITNESSES }),
    run: async ({ target, witnesses }) => answerOf(desk, (await auditText(desk, target, witnesses)).audited),
  });
}

function compareSessions(desk: Desk): Tool {
  return defineTool({
    name: "compare",
    description:
      "Compares two sources of one session, or two sessions: every difference, the first one first.",
    isReadOnly: true,
    input: z.strictObject({ a: TARGET, b: TARGET }),
    run: async ({ a, b }) => {
      const [left, right] = [(await auditText(desk, a)).audited, (await auditText(desk, b)).audited];
      const [viewA, viewB] = [viewOf(left, "a"), viewOf(right, "b")];
      const { sameSession, differences, same } = compareViews(viewA, viewB);
      const [first] = differences;
      const what = sameSession ? "entries" : "moves";
      return {
        sentences: [
          sameSession ? "Both are the same session." : "These are two different sessions.",
          first === undefined
            ? `No difference: ${same} ${what} are the same.`
            : `${differences.length} differences, and ${same} ${what} are the same. First: ${describeDifference(first)}.`,
          `a: ${left.sentences[0]}`,
          `b: ${right.sentences[0]}`,
        ],
        data: {
          same_session: sameSession,
          same,
          differences: differences.slice(0, MAX_DIFFERENCES).map(differenceData),
          a: answerOf(desk, left).data,
          b: answerOf(desk, right).data,
          participants: left.data["participants"]!,
        },
      };
    },
  });
}

/** @throws Refusal */
function viewOf({ stage: { view }, sentences }: Audited, side: "a" | "b"): View {
  if (view.ok) return view;
  throw new Refusal(`${side} cannot be compared: ${sentences[0]}`);
}

function describeDifference(difference: Difference): string {
  switch (difference.kind) {
    case "missing":
      return `${difference.side} lacks ${difference.ref}`;
    case "other-entry":
      return `entry ${difference.seq} of ${difference.wallet} is another one: ${difference.a} in a, ${difference.b} in b`;
    case "other-bytes":
      return `${difference.ref} has another signature`;
    case "other-order":
      return `a has ${difference.ref} before ${difference.other}, b after it`;
    case "other-standing":
      return `${difference.ref} is ${difference.a} in a and ${difference.b} in b`;
    case "rejected":
      return `${difference.side} holds a record that is no valid entry: ${difference.record.hash}`;
    case "other-term":
      return `the terms differ in ${difference.member}`;
    case "other-move":
      return `move ${difference.place} of player ${difference.author + 1} has another ${difference.what}`;
    case "other-verdict":
      return "the verdicts differ";
  }
}

function differenceData(difference: Difference): JsonObject {
  const says = describeDifference(difference);
  if (difference.kind !== "other-term") return { kind: difference.kind, says };
  const { a = null, b = null } = difference;
  return { kind: difference.kind, says, a: untrusted(a), b: untrusted(b) };
}

/** Records of a game of this process as it holds them, else as the Hubs have them. */
async function recordsOf(desk: Desk, text: string): Promise<Target> {
  const game = desk.games.find(text.trim())?.getSnapshot();
  const { session, seat } = game ?? { session: null, seat: null };
  if (session === null || seat === null) return readTarget(text, desk.hubs, []);
  const { records } = seat.getSnapshot();
  return { session, records, domain: undefined, notes: [], stopped: null, notAsked: [] };
}

function exportBundle(desk: Desk): Tool {
  return defineTool({
    name: "export_bundle",
    description:
      "Writes one file that carries a session and verifies without a network. A short one comes along.",
    input: z.strictObject({ session: TARGET }),
    run: async ({ session: text }) => {
      const target = await recordsOf(desk, text);
      const audited = await auditTarget(target, desk.environment.verifier, addressOf(desk));
      const bundle = writeBundle(target.session, target.records);
      const path = await desk.saveExport(fileName(target.session, BUNDLE_EXTENSION), bundle);
      const attachment = { uri: bundleUri(target.session), mimeType: "application/x-ndjson", text: bundle };
      return {
        sentences: [`Wrote ${target.records.length} records to ${path}.`, ...audited.sentences],
        data: { ...answerOf(desk, audited).data, path, records: target.records.length },
        ...(bundle.length <= MAX_ATTACHED && { attachment }),
      };
    },
  });
}

function exportReport(desk: Desk): Tool {
  return defineTool({
    name: "export_report",
    description:
      "Writes a report of a session: one HTML page that carries the records and verifies them again by itself.",
    input: z.strictObject({ session: TARGET }),
    run: async ({ session: text }) => {
      const target = await recordsOf(desk, text);
      const audited = await auditTarget(target, desk.environment.verifier, addressOf(desk));
      const { view, verdict } = audited.stage;
      const content = {
        bundle: writeBundle(target.session, target.records),
        verdict: verdict?.ok === true ? verdict.digest : undefined,
      };
      const title = view.ok ? `Audit of a session of ${view.terms.game}` : "Audit of a session";
      const page = buildReport(await desk.reportTemplate(), content, title);
      const path = await desk.saveExport(fileName(target.session, REPORT_EXTENSION), page);
      return {
        sentences: [`Wrote the report to ${path}. Open it in a browser.`, ...audited.sentences],
        data: { ...answerOf(desk, audited).data, path },
      };
    },
  });
}

function fileName(session: Ref, extension: string): string {
  return `session-${session.slice(-12)}${extension}`;
}
