// The HTML to put into another page, to copy.

import type { Address, Hash, Ref } from "../../core/values.ts";
import { Copy } from "../components/copy.tsx";
import { InertText } from "../components/inert-text.tsx";
import { Notice } from "../components/notice.tsx";
import { useEnvironment } from "../services/use-environment.ts";
import { embedCode, frameAddress } from "./embed-code.ts";
import css from "./embed.module.css";

export interface EmbedCodeProps {
  readonly session: Ref;
  /** URLs of the Hubs to read from. */
  readonly hubs: readonly string[];
  readonly witnesses?: readonly Address[];
  /** The verdict that was reached here; the frame says whether it reaches the same. */
  readonly digest?: Hash | undefined;
  /** Opens a sealed session to every reader of the page. */
  readonly domainKey?: Uint8Array | undefined;
}

export function EmbedCode({ session, hubs, witnesses, digest, domainKey }: EmbedCodeProps) {
  const environment = useEnvironment();
  const page = window.location.href.replace(/\/embed(?=#|$)/, "/");
  const frame = frameAddress(page, environment.host.kind === "hosted");
  const code = embedCode(frame, { session, hubs, witnesses, verdict: digest, key: domainKey });
  if (!code.ok) return <Notice kind="info" title="The address would be too long to embed." />;
  return (
    <section className={css.code}>
      <div className={css.codeHead}>
        <h2>Embed this verdict</h2>
        <Copy text={code.html} label="Copy HTML" words kind="plain" />
      </div>
      <pre tabIndex={0} aria-label="HTML of the frame">
        <InertText text={code.html} />
      </pre>
    </section>
  );
}
