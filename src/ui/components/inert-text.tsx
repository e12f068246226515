// Text from others, shown as text and nothing else: isolated from the direction of its surroundings, its invisible
// characters drawn as marks. Never HTML, never a link, and never translated by the browser: an option that is shown in
// another language is another option.

import { inertParts } from "../../platform/inert.ts";
import css from "./inert-text.module.css";

export interface InertTextProps {
  readonly text: string;
  readonly wrap?: boolean;
  /** A sentence of this app's own, which a browser may translate. */
  readonly translatable?: boolean;
}

export function InertText({ text, wrap = true, translatable = false }: InertTextProps) {
  return (
    // The key: where a translator has replaced the text within, another text comes as an element of its own.
    <bdi key={text} className={wrap ? css.wrap : css.line} {...(!translatable && { translate: "no" })}>
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
