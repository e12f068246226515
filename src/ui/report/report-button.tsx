// Saves the session at hand as a single-file report. The template is fetched only when asked for.

import { useState } from "react";
import { toBase64url } from "../../core/bytes.ts";
import { writeBundle } from "../../core/bundle.ts";
import type { Hash, Ref } from "../../core/values.ts";
import { Button } from "../components/button.tsx";
import { Notice } from "../components/notice.tsx";
import { saveFile } from "../services/save-file.ts";
import { buildReport, REPORT_EXTENSION, TEMPLATE_FILE } from "../../audit/build-report.ts";
import { errorText } from "../../platform/coded-error.ts";

export interface ReportButtonProps {
  readonly session: Ref;
  readonly records: readonly string[];
  /** Verdict digest reached here, if every signature was checked. */
  readonly digest?: Hash | undefined;
  /** K_d, only if the report is to open the sealed entries to anyone who has it. */
  readonly domainKey?: Uint8Array | undefined;
  readonly title: string;
}

export function ReportButton({ session, records, digest, domainKey, title }: ReportButtonProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const save = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const key = domainKey === undefined ? undefined : toBase64url(domainKey);
      const content = { bundle: writeBundle(session, records), verdict: digest, key };
      const html = buildReport(await readTemplate(), content, `Session report: ${title}`);
      saveFile(`session-${session.slice(-64, -56)}${REPORT_EXTENSION}`, html, "text/html");
    } catch (error) {
      setFailure(errorText(error));
    }
    setBusy(false);
  };
  return (
    <>
      <Button size="s" icon="file" busy={busy} onClick={() => void save()}>
        HTML report
      </Button>
      {failure !== null && (
        <Notice kind="error" title="The report was not made">
          {failure}
        </Notice>
      )}
    </>
  );
}

async function readTemplate(): Promise<string> {
  const response = await fetch(`./${TEMPLATE_FILE}`).catch(() => undefined);
  if (response?.ok !== true) throw new Error("Its template could not be fetched from this site.");
  return response.text();
}
