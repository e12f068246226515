// What is shown where there is nothing to show, something is amiss, or the network is away. Not a dialog: it stays in
// the page, says what happened, and offers an action.

import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";
import { InertText } from "./inert-text.tsx";
import css from "./notice.module.css";

export type NoticeKind = "empty" | "info" | "pass" | "warn" | "error" | "offline";

const ICONS: Record<NoticeKind, IconName> = {
  empty: "search",
  info: "info",
  pass: "check",
  warn: "warn",
  error: "cross",
  offline: "offline",
};

export interface NoticeProps {
  readonly kind: NoticeKind;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** Centred with room around it, for a whole page or panel. */
  readonly large?: boolean;
}

export function Notice({ kind, title, children, action, large = false }: NoticeProps) {
  const urgent = kind === "error";
  return (
    <div
      className={`${css.notice} ${css[kind]}${large ? ` ${css.large}` : ""}`}
      role={urgent ? "alert" : "status"}
      data-notice={kind}
    >
      <span className={css.icon}>
        <Icon name={ICONS[kind]} size={large ? 22 : 16} />
      </span>
      <div className={css.words}>
        <p className={css.title}>{title}</p>
        {children !== undefined && (
          // A text may quote what a Hub, a link or a wallet said.
          <div className={css.text}>
            {typeof children === "string" ? <InertText text={children} /> : children}
          </div>
        )}
        {action !== undefined && <div className={css.action}>{action}</div>}
      </div>
    </div>
  );
}
