import { expect, test } from "vitest";
import { readBundle, writeBundle } from "../core/bundle.ts";
import { Drawing } from "../testing/build.ts";
import { buildReport, DATA_MARK, readReportData, TITLE_MARK } from "./build-report.ts";

const template = `<title>${TITLE_MARK}</title><script type="application/json">${DATA_MARK}</script><script>run()</script>`;
const hostile =
  '</script><script>alert(1)</script><!-- <script> ]]> $& $1 {{report-title}} \u2028 \u0000 "\\';
const drawing = new Drawing()
  .genesis("g", "a", "a b", { body: { title: hostile } })
  .commit("ca", "a", "rock");
const bundle = writeBundle(drawing.node("g").ref, drawing.records());

/** What stands between the data block's tags, as an HTML parser would cut it. */
function dataOf(html: string): string {
  const start = html.indexOf('<script type="application/json">') + '<script type="application/json">'.length;
  return html.slice(start, html.indexOf("</script", start));
}

test("what is put in comes out again, byte for byte", () => {
  const html = buildReport(template, { bundle, verdict: drawing.node("g").hash, key: "abc_-" }, "a title");
  expect(readReportData(dataOf(html))).toEqual({ bundle, verdict: drawing.node("g").hash, key: "abc_-" });
  expect(readBundle(readReportData(dataOf(html))!.bundle)).toMatchObject({ records: drawing.records() });
});

test("hostile text ends nothing and begins nothing", () => {
  const html = buildReport(template, { bundle: `${bundle}${hostile}\n` }, hostile);
  expect(html.match(/<script/gi)?.length).toBe(2);
  expect(html.match(/<\/script/gi)?.length).toBe(2);
  expect(html).not.toContain("<!--");
  expect(dataOf(html)).not.toContain("<");
  expect(readReportData(dataOf(html))!.bundle).toBe(`${bundle}${hostile}\n`);
  expect(html.endsWith("<script>run()</script>")).toBe(true);
});

test("the title is text, its hidden characters shown", () => {
  expect(buildReport(template, { bundle }, "a <b> & \u202e")).toContain(
    "<title>a &lt;b&gt; &amp; [U+202E]</title>",
  );
});

test.each([["", "<title></title>", `${TITLE_MARK}${TITLE_MARK}${DATA_MARK}`, TITLE_MARK, "<!doctype html>"]])(
  "another page in place of the template is refused: %s",
  (...pages) => {
    for (const page of pages) expect(() => buildReport(page, { bundle }, "")).toThrow(/template/);
  },
);

test.each([
  ["", "null", "[]", '{"format":"coop-report/2","bundle":""}', '{"format":"coop-report/1"}', DATA_MARK],
])("data that is damaged is no report: %s", (...texts) => {
  for (const text of texts) expect(readReportData(text)).toBeUndefined();
});
