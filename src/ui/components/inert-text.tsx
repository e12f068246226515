// Text from others, shown as text and nothing else: isolated from the direction of its surroundings, its invisible
// characters drawn as marks. Never HTML, never a link.

import { inertParts } from "../../platform/inert.ts";
import css from "./inert-text.module.css";

export function InertText({ text, wrap = true }: { text: string; wrap?: boolean }) {
  return (
    <bdi className={wrap ? css.wrap : css.line}>
      {inertParts(text).map((part, i) =>
        part.kind === "text" ? (
          part.text
        ) : (
          <span key={i} className={css.mark} title={`${part.label} ${part.name}`} data-mark={part.label}>
            {part.label}
          </span>
        ),
      )}
    </bdi>
  );
}
