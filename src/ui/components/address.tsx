// A wallet: mark, name where it has one, short EIP-55 form; the whole address on focus, on hover (title), and always when
// copied. Names come from the session that is shown, so that a wallet is called the same everywhere.

import type { Address as AddressValue } from "../../core/values.ts";
import type { ShownName } from "../../names/session-names.ts";
import { useNames } from "../names/names-context.tsx";
import { AddressMark } from "./address-mark.tsx";
import css from "./address.module.css";
import { Copy } from "./copy.tsx";
import { Icon } from "./icon.tsx";
import { InertText } from "./inert-text.tsx";
import { shortenAddress, spell } from "./short-address.ts";

export interface AddressProps {
  readonly value: AddressValue;
  /** Addresses shown nearby: more digits are shown where two of them would look alike. */
  readonly among?: readonly AddressValue[];
  /** Index among the participants, for the colour. */
  readonly place?: number | undefined;
  /** A name that this reader gave it, where there is no session around that knows its name. */
  readonly name?: string | undefined;
  readonly copy?: boolean;
  /** False in tables, where a stop of the Tab key on each row would be a burden. */
  readonly focusable?: boolean;
  readonly href?: string;
  /** False in sentences: the name alone, where there is one and it looks like no other. */
  readonly digits?: boolean;
}

export function Address(props: AddressProps) {
  const { value, among, place, copy = false, focusable = true, href, digits = true } = props;
  const shown = useNames()?.look(value);
  const named = props.name ?? (shown === undefined || shown.kind === "address" ? undefined : shown.text);
  const alike = shown?.alike === true;
  const full = spell(value);
  const withDigits = digits || named === undefined || alike;
  const text = withDigits ? <Digits value={value} among={among} whole={alike} /> : null;
  const name = named !== undefined && (
    <Name text={named} shown={props.name === undefined ? shown : undefined} />
  );
  return (
    <span
      className={css.address}
      translate="no"
      title={full}
      {...(focusable && href === undefined && { tabIndex: 0 })}
    >
      <AddressMark address={value} place={place ?? shown?.seat} />
      {text === null && href !== undefined ? <a href={href}>{name}</a> : name}
      {text !== null && (href === undefined ? text : <a href={href}>{text}</a>)}
      {copy && <Copy text={full} label="Copy address" />}
    </span>
  );
}

function Digits({
  value,
  among,
  whole,
}: {
  value: AddressValue;
  among: readonly AddressValue[] | undefined;
  whole: boolean;
}) {
  const { head, middle, tail } = shortenAddress(value, among);
  if (whole) return <span className={`${css.digits} mono`}>{spell(value)}</span>;
  return (
    <span className={`${css.digits} mono`}>
      {middle === "" ? head : <span className={css.head}>{head}</span>}
      {middle !== "" && <span className={css.middle}>{middle}</span>}
      {tail}
    </span>
  );
}

const CLAIMED = "Claimed: this wallet calls itself so. Nobody has checked it.";
const ALIKE = "Another name or address here looks the same. Compare the whole addresses.";

function Name({ text, shown }: { text: string; shown: ShownName | undefined }) {
  const isClaimed = shown?.kind === "claimed";
  return (
    <span className={css.name} data-name={shown?.kind ?? "given"} {...(isClaimed && { title: CLAIMED })}>
      <InertText text={text} wrap={false} />
      {isClaimed && <span className={css.claimed}>claimed</span>}
      {shown?.alike === true && (
        <span className={css.alike} title={ALIKE} data-alike>
          <Icon name="warn" size={13} label="Looks like another name or address here" />
        </span>
      )}
    </span>
  );
}
