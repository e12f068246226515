// A sentence about wallets, with each wallet drawn by its name. The sentence comes from `describe…`, which knows names
// only as text: a mark that no text from others can hold stands in for each. All the rest is inert text.

import { Fragment } from "react";
import type { Address as AddressValue } from "../../core/values.ts";
import { YOU, type NameOf } from "../../games/describe.ts";
import { Address } from "../components/address.tsx";
import { InertText } from "../components/inert-text.tsx";
import { useNames } from "../names/names-context.tsx";
import { to } from "../routing/routes.ts";

// Drawn anew for every page, so that nobody can write it into a record beforehand.
const NONCE = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(36)).join("");
const MARK = new RegExp(`\\[${NONCE}:(0x[0-9a-f]{40})\\]`);

export interface SentenceProps {
  readonly say: (nameOf: NameOf) => string;
  readonly participants: readonly AddressValue[];
  readonly links?: boolean;
}

export function Sentence({ say, participants, links = false }: SentenceProps) {
  const me = useNames()?.me ?? null;
  const parts = say((wallet) => (wallet === me ? YOU : `[${NONCE}:${wallet}]`)).split(MARK);
  return (
    <>
      {parts.map((part, i) => {
        if (i % 2 === 0)
          return <Fragment key={i}>{part === "" ? null : <InertText text={part} translatable />}</Fragment>;
        const wallet = part as AddressValue;
        const place = participants.indexOf(wallet);
        return (
          <Address
            key={i}
            value={wallet}
            among={participants}
            place={place < 0 ? undefined : place}
            {...(links && { href: to.wallet(wallet) })}
            focusable={false}
            digits={false}
          />
        );
      })}
    </>
  );
}
