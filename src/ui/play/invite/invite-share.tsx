// A link to hand over: the text, a copy button, the system's own sharing where there is one, and a QR code.

import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Copy } from "../../components/copy.tsx";
import { Qr } from "../../components/qr.tsx";
import css from "../play.module.css";

export function ShareLink({ label, link, what }: { label: string; link: string; what: string }) {
  const [qr, setQr] = useState(false);
  const canShare = typeof navigator.share === "function";
  return (
    <div className={css.share}>
      <label className={css.shareLabel}>
        {label}
        <input
          className={`${css.link} mono`}
          readOnly
          value={link}
          onFocus={(event) => event.target.select()}
          data-testid="share-link"
        />
      </label>
      <div className={css.row}>
        <Copy text={link} label={`Copy the ${what}`} words kind="plain" size="m" />
        {canShare && (
          <Button icon="share" onClick={() => void navigator.share({ url: link }).catch(() => undefined)}>
            Share
          </Button>
        )}
        <Button icon="qr" aria-expanded={qr} onClick={() => setQr(!qr)}>
          QR code
        </Button>
      </div>
      {qr && (
        <div className={css.qr}>
          <Qr text={link} label={`QR code of the ${what}`} />
        </div>
      )}
    </div>
  );
}
