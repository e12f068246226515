// Sharing: a link that says what was reached and from what, and the whole session as one file.

import { useState } from "react";
import { Button } from "../components/button.tsx";
import { Choices } from "../components/field.tsx";
import { Copy } from "../components/copy.tsx";
import { Dialog } from "../components/dialog.tsx";
import { InertText } from "../components/inert-text.tsx";
import { Qr } from "../components/qr.tsx";
import { Notice } from "../components/notice.tsx";
import { saveBundle } from "../evidence/records-tab.tsx";
import { ReportButton } from "../report/report-button.tsx";
import type { Inspected } from "../inspector/session-model.ts";
import { auditUrl, digestOf } from "./audit-url.ts";
import css from "./audit.module.css";

export default function ShareDialog({ inspected, onClose }: { inspected: Inspected; onClose: () => void }) {
  const { snapshot, session, domain } = inspected;
  const [withState, setWithState] = useState(true);
  const [withKey, setWithKey] = useState(false);
  const link = auditUrl(inspected, { withState, withKey });
  const given = snapshot.state === "given";
  return (
    <Dialog title="Share this session" onClose={onClose}>
      <div className={css.share}>
        <p>
          A reader of the link verifies everything again in their own browser and sees whether the verdict is
          the same.
        </p>
        {given && (
          <Notice kind="warn" title="This session came from a file">
            The link holds no records. Unless a Hub has them, send the bundle along.
          </Notice>
        )}
        {domain !== undefined && (
          <Choices
            label="This session is private"
            chosen={withKey ? "key" : "no-key"}
            onChoose={(choice) => setWithKey(choice === "key")}
            choices={[
              { value: "no-key", title: "Without the key", hint: "Shows chains, order and shares, no moves" },
              { value: "key", title: "With the key", hint: "Opens the moves to whoever gets the link" },
            ]}
          />
        )}
        {link.ok ? (
          <>
            <output className={`${css.link} mono`} data-testid="audit-link">
              <InertText text={link.url} />
            </output>
            <div className={css.row}>
              <Copy text={link.url} label="Copy audit link" words kind="primary" />
              <Button size="s" icon="download" onClick={() => saveBundle(session, snapshot.records)}>
                Bundle
              </Button>
              <ReportButton
                session={session}
                records={snapshot.records}
                digest={digestOf(inspected)}
                domainKey={withKey ? domain?.key : undefined}
                title={inspected.view.terms.title ?? inspected.view.terms.game}
              />
            </div>
          </>
        ) : (
          <Notice kind="error" title="The link would be too long">
            {`It may have ${link.expected}; this one has ${link.found}. Leave out what you are looking at.`}
          </Notice>
        )}
        {link.ok && (
          <details className={css.qr}>
            <summary>QR code</summary>
            <Qr text={link.url} label="Opens the audit link" />
          </details>
        )}
        <label className={css.option}>
          <input
            type="checkbox"
            checked={withState}
            onChange={(event) => setWithState(event.target.checked)}
          />
          With the entry, cut and filters that I look at
        </label>
      </div>
    </Dialog>
  );
}
