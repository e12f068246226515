// A regular expression for whole numbers from a least one on, so that a JSON Schema of decimal texts offers these alone.

/** Longest amount of the protocol, in digits. */
const MAX_DIGITS = 78;

/** Matches the decimal texts, without leading zeros and of at most 78 digits, of numbers that are at least `least`. */
export function atLeastPattern(least: bigint): string {
  if (least <= 0n) return `^(0|[1-9][0-9]{0,${MAX_DIGITS - 1}})$`;
  const digits = String(least);
  const longer = digits.length < MAX_DIGITS ? [`[1-9][0-9]{${digits.length},${MAX_DIGITS - 1}}`] : [];
  // As many digits: equal up to some place, greater there, anything after.
  const greater = [...digits].flatMap((digit, i) => {
    if (digit === "9") return [];
    const rest = digits.length - i - 1;
    return [`${digits.slice(0, i)}[${Number(digit) + 1}-9]${rest > 0 ? `[0-9]{${rest}}` : ""}`];
  });
  return `^(${[...longer, ...greater, digits].join("|")})$`;
}
