// A copy button whose result is seen and heard: "Copied", or that the browser refused.

import { useEffect, useState } from "react";
import { Button, type ButtonLook } from "./button.tsx";
import { copyText, pageClipboard } from "./clipboard.ts";
import css from "./copy.module.css";

type Result = "idle" | "copied" | "refused";

export interface CopyProps {
  /** What to copy, or a function that makes it when asked. */
  readonly text: string | (() => string);
  readonly label?: string;
  /** With words beside the icon. */
  readonly words?: boolean;
  readonly kind?: ButtonLook["kind"];
  readonly size?: ButtonLook["size"];
}

export function Copy({ text, label = "Copy", words = false, kind = "quiet", size = "s" }: CopyProps) {
  const [result, setResult] = useState<Result>("idle");
  useEffect(() => {
    if (result === "idle") return;
    const timer = setTimeout(() => setResult("idle"), 2000);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => {
    const done = await copyText(pageClipboard, typeof text === "string" ? text : text());
    setResult(done ? "copied" : "refused");
  };
  const said = result === "copied" ? "Copied" : result === "refused" ? "Copy was refused" : label;
  return (
    <span className={css.copy}>
      <Button
        kind={kind}
        size={size}
        icon={result === "copied" ? "check" : result === "refused" ? "cross" : "copy"}
        aria-label={label}
        title={said}
        onClick={() => void copy()}
      >
        {words ? said : undefined}
      </Button>
      {!words && result !== "idle" && <span className={css.result}>{said}</span>}
      <span className="hidden-visually" role="status">
        {result === "idle" ? "" : said}
      </span>
    </span>
  );
}
