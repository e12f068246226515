// A session as one HTML file that verifies itself: the template (scripts/report-template.ts: verifier, interface and
// policy) with the bundle put in. Pure. The bundle stands in a JSON string of a data block, in which no `<` occurs, so
// that nothing in it can end the block or begin another.

import { inertLine } from "../platform/inert.ts";
import { canonicalize, isObject, own, parseJson } from "../core/canonical.ts";
import { isHash, type Hash } from "../core/values.ts";

export const REPORT_FORMAT = "coop-report/1";
export const REPORT_EXTENSION = ".coop.html";
export const TEMPLATE_FILE = "report-template.html";

/** Where the template is filled in. Each stands in it exactly once. */
export const TITLE_MARK = "{{report-title}}";
export const DATA_MARK = "{{report-data}}";

export interface ReportContent {
  /** The bundle's text (core/bundle.ts). */
  readonly bundle: string;
  /** Verdict digest that was reached when the report was made: what the report's own verdict is held against. */
  readonly verdict?: Hash | undefined;
  /** K_d of a sealed session in base64url, if the report is to open it. */
  readonly key?: string | undefined;
}

/** @throws Error where the template is not one (another page served in its place, say) */
export function buildReport(template: string, content: ReportContent, title: string): string {
  const [head, middle, ...more] = template.split(TITLE_MARK);
  if (head === undefined || middle === undefined || more.length > 0) throw new Error(NOT_A_TEMPLATE);
  const [before, after, ...rest] = middle.split(DATA_MARK);
  if (before === undefined || after === undefined || rest.length > 0) throw new Error(NOT_A_TEMPLATE);
  return `${head}${htmlText(inertLine(title))}${before}${dataText(content)}${after}`;
}

const NOT_A_TEMPLATE = "The report's template could not be read: what came in its place is another page.";

/** JSON without `<`, so that it is inert inside a script element of any kind (HTML, script data states). */
function dataText({ bundle, verdict, key }: ReportContent): string {
  const data = {
    format: REPORT_FORMAT,
    bundle: bundle.toWellFormed(),
    ...(verdict !== undefined && { verdict }),
    ...(key !== undefined && { key }),
  };
  return canonicalize(data).replaceAll("<", String.raw`\u003c`);
}

function htmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** What a report carries, out of its data block; undefined where it is damaged or empty. */
export function readReportData(text: string): ReportContent | undefined {
  const value = parseJson(text);
  if (!isObject(value) || own(value, "format") !== REPORT_FORMAT) return undefined;
  const [bundle, verdict, key] = [own(value, "bundle"), own(value, "verdict"), own(value, "key")];
  if (typeof bundle !== "string") return undefined;
  if (verdict !== undefined && !isHash(verdict)) return undefined;
  if (key !== undefined && typeof key !== "string") return undefined;
  return { bundle, verdict, key };
}
