// Where an entry's ref leads: a genesis to its session, a move to the session it belongs to, an invite to its offer,
// anything else to its author's log. Asks for entries by argument; assumes that they were found under their ref.

import type { Candidate } from "../../core/entry.ts";
import { parseRef, type Ref } from "../../core/values.ts";
import { to } from "../routing/routes.ts";

/** An entry by its ref, or undefined where it cannot be found. Its signature need not have been checked. */
export type ReadEntry = (ref: Ref) => Promise<Candidate | undefined>;

/** Entries read at once when looking for a move's genesis among its refs. */
const AT_ONCE = 8;

/** The route that a ref leads to. An entry that cannot be found is taken for a session id: that page says what is missing. */
export async function placeOfEntry(ref: Ref, read: ReadEntry): Promise<string> {
  const entry = await read(ref);
  if (entry === undefined || entry.type === "genesis") return to.session(ref);
  if (entry.type === "invite") return to.join(ref);
  const genesis = entry.type === "accept" ? undefined : await findGenesis(entry.refs, read);
  const params = new URLSearchParams({ entry: ref });
  return genesis === undefined ? to.wallet(parseRef(ref)!.wallet, params) : to.session(genesis, params);
}

/** The genesis among refs: a move names it. With several sessions named, none is chosen. */
async function findGenesis(refs: readonly Ref[], read: ReadEntry): Promise<Ref | undefined> {
  const found: Ref[] = [];
  for (let i = 0; i < refs.length; i += AT_ONCE) {
    const entries = await Promise.all(refs.slice(i, i + AT_ONCE).map(read));
    for (const entry of entries) if (entry?.type === "genesis") found.push(entry.ref);
  }
  return found.length === 1 ? found[0] : undefined;
}
