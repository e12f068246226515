// Buttons, and links that look like them. `busy` keeps the width, disables, and says so to a screen reader.

import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from "react";
import css from "./button.module.css";
import { Icon, type IconName } from "./icon.tsx";

export interface ButtonLook {
  /** `primary` at most once a view; `quiet` has no border until pointed at. */
  readonly kind?: "primary" | "plain" | "quiet" | "danger";
  readonly size?: "s" | "m" | "l";
  readonly icon?: IconName | undefined;
  readonly children?: ReactNode;
}

type ButtonProps = ButtonLook & { readonly busy?: boolean } & ButtonHTMLAttributes<HTMLButtonElement>;

export function Button({ kind = "plain", size = "m", icon, busy = false, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={lookOf(kind, size, children === undefined, rest.className)}
      disabled={busy || rest.disabled === true}
      aria-busy={busy}
    >
      {busy ? <span className={css.spinner} /> : icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

type LinkProps = ButtonLook & AnchorHTMLAttributes<HTMLAnchorElement>;

export function LinkButton({ kind = "plain", size = "m", icon, children, ...rest }: LinkProps) {
  return (
    <a {...rest} className={lookOf(kind, size, children === undefined, rest.className)}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </a>
  );
}

/** A button that is only an icon: the label is its name for screen readers and its tooltip. */
export function IconButton({
  label,
  icon,
  ...rest
}: { readonly label: string; readonly icon: IconName } & Omit<ButtonProps, "children" | "aria-label">) {
  return <Button kind="quiet" {...rest} icon={icon} aria-label={label} title={label} />;
}

function lookOf(kind: string, size: string, iconOnly: boolean, extra: string | undefined): string {
  const look = `${css.button} ${css[kind]} ${css[size]}${iconOnly ? ` ${css.icon}` : ""}`;
  return extra === undefined ? look : `${look} ${extra}`;
}
