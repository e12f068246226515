// Scalars of 128 bits as signed digits: what window methods add points by.

/** Bits of every scalar of a sum. */
export const SCALAR_BITS = 128;

/** Windows of so many bits that hold a scalar and the carry out of its last digit. */
export function windowsOf(width: number): number {
  return Math.ceil((SCALAR_BITS + 1) / width);
}

/** Digits from -2^(width-1) to 2^(width-1) of 128-bit numbers (four words each, the lowest first): all of a window together. */
export function signedDigits(words: Uint32Array, width: number): Int16Array {
  const count = words.length / 4;
  const windows = windowsOf(width);
  const digits = new Int16Array(windows * count);
  const [full, half] = [2 ** width, 2 ** (width - 1)];
  for (let i = 0; i < count; i++) {
    let carry = 0;
    for (let w = 0; w < windows; w++) {
      const bit = w * width;
      const word = bit >>> 5;
      const shift = bit & 31;
      let digit = word < 4 ? words[4 * i + word]! >>> shift : 0;
      if (shift + width > 32 && word < 3) digit |= words[4 * i + word + 1]! << (32 - shift);
      digit = (digit & (full - 1)) + carry;
      carry = digit > half ? 1 : 0;
      digits[w * count + i] = carry === 1 ? digit - full : digit;
    }
  }
  return digits;
}

/**
 * The width-w non-adjacent form of a number below 2^128, by bit: odd digits below 2^(width-1) in amount, each with at
 * least width - 1 zeros behind it (Hankerson, Menezes, Vanstone, algorithm 3.35).
 */
export function nonAdjacentForm(value: bigint, width: number): Int16Array {
  const digits = new Int16Array(SCALAR_BITS + 1);
  const words = new BigUint64Array(2);
  putWords(words, 0, value, 2);
  const bits = new Uint32Array(words.buffer);
  let carry = 0;
  for (let bit = 0; bit <= SCALAR_BITS;) {
    const word = bit >>> 5;
    const shift = bit & 31;
    let window = word < 4 ? bits[word]! >>> shift : 0;
    if (((window & 1) ^ carry) === 0) {
      bit++;
      continue;
    }
    if (shift + width > 32 && word < 3) window |= bits[word + 1]! << (32 - shift);
    const digit = (window & (2 ** width - 1)) + carry;
    carry = digit >> (width - 1);
    digits[bit] = digit - carry * 2 ** width;
    bit += width;
  }
  return digits;
}

/** Puts so many 64-bit words of a number, the lowest first. */
export function putWords(to: BigUint64Array, at: number, value: bigint, count: number): void {
  for (let k = 0; k < count; k++) to[at + k] = BigInt.asUintN(64, value >> BigInt(64 * k));
}
