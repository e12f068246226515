// A link as a QR code, black on white in both themes: many readers do not see the inverse. It fills the width it is given.

import { useMemo } from "react";
import { Notice } from "./notice.tsx";
import { qrPath } from "./qr-path.ts";
import css from "./qr.module.css";

/** `label`: what scanning it does, for those who cannot see it. */
export function Qr({ text, label }: { text: string; label: string }) {
  const code = useMemo(() => qrPath(text), [text]);
  if (code === undefined)
    return <Notice kind="info" title="This link is too long for a QR code. Copy it instead." />;
  return (
    <svg
      className={css.qr}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${code.size} ${code.size}`}
      shapeRendering="crispEdges"
    >
      <rect className={css.ground} width={code.size} height={code.size} />
      <path className={css.dark} d={code.path} />
    </svg>
  );
}
