// Whether a rejected record says anything of a session. A participant's log spans all its sessions: what it wrote badly
// for another one is shown, and decides nothing here.

import { isObject, own, parseJson, type Json } from "../core/canonical.ts";
import type { RejectedRecord, View } from "../core/view.ts";

/**
 * True only where the record claims a place outside of every participant's segment and does not name the session. What
 * claims no place at all may have been an entry of this session before it was damaged, and stays inside.
 */
export function isOutsideSession(view: View, { wire }: Pick<RejectedRecord, "wire">): boolean {
  if (wire.includes(view.session)) return false;
  const value = parseJson(wire, Infinity);
  if (!isObject(value)) return false;
  const [wallet, seq] = [own(value, "wallet"), own(value, "seq")];
  if (typeof wallet !== "string" || !isSeq(seq)) return false;
  const member = view.members.find((one) => one.wallet === wallet);
  if (member === undefined) return true;
  return seq < member.anchor.seq || member.end === null || seq > member.end;
}

function isSeq(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
