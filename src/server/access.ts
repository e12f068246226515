// Who may write: checks the header Authorization, and remembers the signatures it has checked, since one sign-in is
// sent with every write of ten minutes and checking one takes a millisecond.

import type { Address } from "../core/values.ts";
import { checkAuthorization, type SignInCheck } from "../hub/sign-in.ts";

export type Access =
  { readonly ok: true; readonly address: Address } | { readonly ok: false; readonly why: string };

const MOST = 10_000;

export class AccessCheck {
  readonly #now: () => number;
  readonly #known = new Map<string, SignInCheck & { readonly ok: true }>();

  /** `now` in milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether this very header was checked before, so that checking it again costs nothing. */
  knows(header: string | undefined): boolean {
    return header !== undefined && this.#known.has(header);
  }

  check(header: string | undefined): Access {
    const known = header === undefined ? undefined : this.#known.get(header);
    const result = known ?? checkAuthorization(header);
    if (!result.ok) return result;
    const now = this.#now();
    if (now < result.from) return outOfTime("in the future", result.from - now);
    if (now > result.until) {
      this.#known.delete(header!);
      return outOfTime("expired", now - result.until);
    }
    if (known === undefined) this.#keep(header!, result);
    return { ok: true, address: result.address };
  }

  #keep(header: string, result: SignInCheck & { readonly ok: true }): void {
    if (this.#known.size >= MOST) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(header, result);
  }
}

function outOfTime(what: string, by: number): Access {
  return { ok: false, why: `the sign-in is ${what} by ${Math.ceil(by / 1000)} seconds: check your clock` };
}
