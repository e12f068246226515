// Who may write: checks the header Authorization, and remembers the signatures it has checked, since one sign-in is
// sent with every write of ten minutes and checking one takes a millisecond.

import type { Address } from "../core/values.ts";
import { readSignIn, SIGN_IN_SECONDS, type SignIn } from "../hub/sign-in.ts";

export type Access =
  { readonly ok: true; readonly address: Address } | { readonly ok: false; readonly why: string };

/** Sign-ins remembered, of up to 2 KiB each. */
const MOST = 5_000;

interface Known {
  readonly signIn: SignIn & { readonly ok: true };
  /** When it was first seen. One dated in the future lives no longer from then on than any other. */
  readonly since: number;
}

export class AccessCheck {
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();

  /** `now` in milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether this very header was checked before, so that checking it again costs nothing. */
  knows(header: string | undefined): boolean {
    return header !== undefined && this.#known.has(header);
  }

  /** `hosts` are the Hub's own, as its clients write them: a sign-in for another is none here. */
  check(header: string | undefined, hosts: readonly string[]): Access {
    const known = header === undefined ? undefined : this.#known.get(header);
    const signIn = known?.signIn ?? readSignIn(header);
    if (!signIn.ok) return signIn;
    if (!hosts.some((host) => isSameHost(signIn.domain, host)))
      return {
        ok: false,
        why: `the sign-in names ${signIn.domain.slice(0, 100)}, and this Hub is ${hosts[0]}`,
      };
    const now = this.#now();
    if (now < signIn.from) return outOfTime("in the future", signIn.from - now);
    if (now > signIn.until) {
      this.#known.delete(header!);
      return outOfTime("expired", now - signIn.until);
    }
    const end = (known?.since ?? now) + SIGN_IN_SECONDS * 1000;
    if (now > end) return outOfTime("expired", now - end);
    if (known === undefined) this.#keep(header!, { signIn, since: now });
    return { ok: true, address: signIn.address };
  }

  #keep(header: string, known: Known): void {
    if (this.#known.size >= MOST) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(header, known);
  }
}

/** Equal as authorities: in any letter case, with or without the port that http or https has by default. */
function isSameHost(domain: string, host: string): boolean {
  const bare = (text: string) => text.toLowerCase().replace(/:(80|443)$/, "");
  return bare(domain) === bare(host);
}

function outOfTime(what: string, by: number): Access {
  return { ok: false, why: `the sign-in is ${what} by ${Math.ceil(by / 1000)} seconds: check your clock` };
}
