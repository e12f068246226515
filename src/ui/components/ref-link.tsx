// A ref as a link: whose log, which place in it, and the first digits of the hash that pins it.

import type { MouseEvent } from "react";
import { parseRef, type Address, type Ref } from "../../core/values.ts";
import { AddressMark } from "./address-mark.tsx";
import css from "./ref-link.module.css";
import { briefAddress } from "./short-address.ts";

export interface RefLinkProps {
  readonly to: Ref;
  readonly href: string;
  /** Addresses shown nearby, to tell look-alikes apart. */
  readonly among?: readonly Address[];
  readonly place?: number | undefined;
  /** Called instead of following the link on a plain click; a click that opens a new tab still follows it. */
  readonly onSelect?: (to: Ref) => void;
  readonly withHash?: boolean;
}

export function RefLink({ to, href, among, place, onSelect, withHash = false }: RefLinkProps) {
  const parts = parseRef(to);
  if (parts === undefined) return <span className="mono">{to}</span>;
  const select = (event: MouseEvent) => {
    if (onSelect === undefined || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0)
      return;
    event.preventDefault();
    onSelect(to);
  };
  return (
    <a translate="no" className={`${css.ref} mono`} href={href} title={to} onClick={select} data-ref={to}>
      <AddressMark address={parts.wallet} place={place} size={12} />
      <span>
        {briefAddress(parts.wallet, among)}
        <span className={css.seq}>#{parts.seq}</span>
        {withHash && <span className={css.hash}> {parts.hash.slice(2, 10)}</span>}
      </span>
    </a>
  );
}
