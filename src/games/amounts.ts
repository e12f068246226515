// Whole numbers as decimal text, exact at any size.

import type { Json } from "../core/canonical.ts";

const AMOUNT = /^(0|[1-9][0-9]{0,77})$/;
const INTEGER = /^(0|-?[1-9][0-9]{0,77})$/;

/** Up to 78 digits, no sign, no leading zero. */
export function isAmount(value: Json | undefined): value is string {
  return typeof value === "string" && AMOUNT.test(value);
}

/** The same with a minus sign allowed; no `-0`. */
export function isInteger(value: Json | undefined): value is string {
  return typeof value === "string" && INTEGER.test(value);
}
