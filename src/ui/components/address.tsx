// An address: mark, short EIP-55 form; the whole of it on focus, on hover (title), and always when copied.

import type { Address as AddressValue } from "../../core/values.ts";
import { AddressMark } from "./address-mark.tsx";
import css from "./address.module.css";
import { Copy } from "./copy.tsx";
import { InertText } from "./inert-text.tsx";
import { shortenAddress, spell } from "./short-address.ts";

export interface AddressProps {
  readonly value: AddressValue;
  /** Addresses shown nearby: more digits are shown where two of them would look alike. */
  readonly among?: readonly AddressValue[];
  /** Place among the participants, for the colour. */
  readonly place?: number | undefined;
  /** A name that this reader gave it ("you", "bot"); the address stays beside it. */
  readonly name?: string | undefined;
  readonly copy?: boolean;
  /** False in tables, where a stop of the Tab key on each row would be a burden. */
  readonly focusable?: boolean;
  readonly href?: string;
}

export function Address({ value, among, place, name, copy = false, focusable = true, href }: AddressProps) {
  const { head, middle, tail } = shortenAddress(value, among);
  const full = spell(value);
  const digits = (
    <span className={`${css.digits} mono`} title={full}>
      {middle === "" ? head : <span className={css.head}>{head}</span>}
      {middle !== "" && <span className={css.middle}>{middle}</span>}
      {tail}
    </span>
  );
  return (
    <span className={css.address} {...(focusable && href === undefined && { tabIndex: 0 })}>
      <AddressMark address={value} place={place} />
      {name !== undefined && (
        <span className={css.name}>
          <InertText text={name} />
        </span>
      )}
      {href === undefined ? digits : <a href={href}>{digits}</a>}
      {copy && <Copy text={full} label="Copy address" />}
    </span>
  );
}
