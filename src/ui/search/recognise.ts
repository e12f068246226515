// What a text in the search bar is. Pure: it looks nothing up but what this browser has seen already. A near miss is refused
// with the reason; nothing is repaired, so search never opens something other than what was meant.

import { finish, type Steps } from "../../core/steps.ts";
import type { Hash, Ref } from "../../core/values.ts";
import { checksumAddress, isHash, isRef, parseRef, parseTypedAddress } from "../../core/values.ts";
import { inertParts } from "../../platform/inert.ts";
import { to, whyNoRef } from "../routing/routes.ts";
import { recogniseLink } from "./recognise-link.ts";
import { recordSteps } from "./recognise-records.ts";

export type Recognised =
  | { readonly kind: "nothing" }
  /** A route of the app, `#/…`. */
  | { readonly kind: "route"; readonly says: string; readonly route: string }
  /** A session id or an entry's ref: which of them, the entry itself tells. */
  | { readonly kind: "ref"; readonly says: string; readonly ref: Ref }
  /** Records that came with the text. `sessions`: those whose genesis is among them. */
  | {
      readonly kind: "records";
      readonly says: string;
      readonly sessions: readonly Ref[];
      readonly records: readonly string[];
      /** The one entry there is, where there is one and it is no genesis. */
      readonly entry?: Ref;
    }
  | { readonly kind: "refused"; readonly why: string };

/** What this browser has seen: the ref of an entry with that hash. */
export type Seen = (hash: Hash) => Ref | undefined;

/** Recognises a typed, pasted or dropped text. White space around it is not part of it. */
export function recognise(input: string, seen?: Seen): Recognised {
  return finish(recogniseSteps(input, seen));
}

/** The same in steps, for what may be a file of many records. */
export function* recogniseSteps(input: string, seen: Seen = () => undefined): Steps<Recognised> {
  const text = input.trim();
  if (text === "") return { kind: "nothing" };
  if (/^[[{]/.test(text)) return yield* recordSteps(text);
  if (/\s/.test(text)) return refuse("There is a space or a line break in the middle of it.");
  const hidden = inertParts(text).find((part) => part.kind === "mark");
  if (hidden?.kind === "mark")
    return refuse(`There is a character in it that cannot be seen (${hidden.label}, ${hidden.name}).`);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || text.includes("#")) return recogniseLink(text);
  if (/^(https?|file)(:|%3a)/i.test(text)) return refuse("The link was changed on its way; copy it again.");
  if (text.startsWith("eip155:")) return recogniseAccount(text);
  if (/^0x[^:]*(:|%3a)/i.test(text)) return recogniseRef(text);
  if (/^0x/i.test(text)) return recogniseHex(text, seen);
  return refuse(whyNothing(text));
}

function recogniseRef(text: string): Recognised {
  if (!isRef(text)) return refuse(whyNoRef(text, "entry"));
  return { kind: "ref", ref: text, says: formatRef(text) };
}

/** A sentence that names an entry by its place in its author's log. */
export function formatRef(ref: Ref): string {
  const { wallet, seq } = parseRef(ref)!;
  const short = checksumAddress(wallet);
  return `Entry ${seq} of ${short.slice(0, 8)}…${short.slice(-6)}`;
}

/** CAIP-10 for the chains of Ethereum: the wallet is the same on each of them. */
function recogniseAccount(text: string): Recognised {
  const parts = text.split(":");
  if (parts.length !== 3) return refuse("An account is written eip155:<chain>:<address>.");
  const [, chain = "", address = ""] = parts;
  if (!/^(0|[1-9][0-9]{0,31})$/.test(chain))
    return refuse("The chain in eip155:<chain>:<address> is no number.");
  return recogniseAddress(address);
}

function recogniseAddress(text: string): Recognised {
  const typed = parseTypedAddress(text);
  if (typed.ok) return { kind: "route", says: "A wallet’s log", route: to.wallet(typed.address) };
  if (typed.code === "bad-checksum")
    return refuse("The letter case does not fit the address’s checksum (EIP-55): a digit may be wrong.");
  return refuse(whyNoAddress(text));
}

function recogniseHex(text: string, seen: Seen): Recognised {
  if (text.startsWith("0X")) return refuse("It begins with 0X; ids and addresses begin with a small 0x.");
  if (text.length === 42) return recogniseAddress(text);
  if (text.length !== 66) return refuse(whyNoAddress(text));
  if (!isHash(text)) {
    const lower = isHash(text.toLowerCase());
    return refuse(
      lower ? "An entry hash is written in lower case." : "An entry hash has only the digits 0-9 and a-f.",
    );
  }
  const ref = seen(text);
  if (ref !== undefined) return { kind: "ref", ref, says: `${formatRef(ref)}, which this browser has seen` };
  return refuse(
    "This browser has not seen an entry with that hash, and a hash alone does not say whose log it is in. Paste the whole ref: <address>:<seq>:<hash>.",
  );
}

function whyNoAddress(text: string): string {
  if (/…|\.\.\.|\[/.test(text)) return "It was shortened in the middle, so it names nothing for certain.";
  if (!text.startsWith("0x")) return "An address begins with 0x.";
  if (/^0x[0-9a-f]*\.$/i.test(text)) return "There is a full stop at its end.";
  const odd = /[^0-9a-f]/i.exec(text.slice(2));
  if (odd !== null) return `It holds a character that is no hexadecimal digit (“${odd[0]}”).`;
  const digits = text.length - 2;
  const off = (want: number, what: string) =>
    `${count(Math.abs(want - digits), "digit")} ${digits < want ? "short of" : "more than"} ${what} (${want})`;
  if (digits === 130) return "It is as long as a signature; paste the entry’s ref instead.";
  if (Math.abs(40 - digits) <= 8) return `It is ${off(40, "an address")}.`;
  if (Math.abs(64 - digits) <= 8) return `It is ${off(64, "an entry hash")}.`;
  return `It has ${digits} digits: an address has 40, an entry hash 64.`;
}

function whyNothing(text: string): string {
  if (/^[0-9a-f]{40}$/i.test(text)) return "An address begins with 0x; this has the digits only.";
  if (/^[0-9a-f]{64}$/i.test(text)) return "An entry hash begins with 0x; this has the digits only.";
  if (/^[0-9a-f]{39,66}$/i.test(text)) return "Ids and addresses begin with 0x.";
  if (/^[^.]+(\.[^.]+)*\.eth$/i.test(text))
    return "Names are not looked up: no request leaves for a third party. Paste the address.";
  if (/^[a-z0-9-]{3,8}:/i.test(text))
    return "Of accounts on chains, only eip155:<chain>:<address> is known here.";
  return "It is no session id, entry, address, link or bundle.";
}

export function refuse(why: string): { readonly kind: "refused"; readonly why: string } {
  return { kind: "refused", why };
}

export function count(n: number, what: string, plural = `${what}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? what : plural}`;
}
