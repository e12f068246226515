// Text, bytes and hexadecimal. UTF-8 is strict both ways: what is no valid text is refused, not replaced.

import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";

// The Encoding standard's two globals are in every browser and in Node, but in none of ECMAScript's own types.
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean; ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

const encoder = new TextEncoder();

/** UTF-8 of a text. A lone surrogate becomes U+FFFD, as the Encoding standard has it. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The text of UTF-8 bytes (a byte order mark is kept as a character), or undefined where they are not valid UTF-8. */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Length of a text in bytes of UTF-8, without encoding it. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) length += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(i + 1))) {
      length += 2; // two units, four bytes
      i++;
    } else length += 2;
  }
  return length;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** Number of Unicode code points of a text ("characters", wherever the rules count them). */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** `0x` and lower-case hex of bytes. */
export function toHex(bytes: Uint8Array): `0x${string}` {
  return `0x${bytesToHex(bytes)}`;
}

/** Bytes of `0x` and hex. @throws where it is not hexadecimal */
export function fromHex(hex: string): Uint8Array {
  return hexToBytes(hex.slice(2));
}

/** Bytes of base64url without padding (RFC 4648 section 5), only in the exact form that they encode to. */
export function fromBase64url(text: string): Uint8Array | undefined {
  if (text.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let at = 0;
  let bits = 0;
  let held = 0;
  for (let i = 0; i < text.length; i++) {
    const value = BASE64URL.indexOf(text[i]!);
    if (value < 0) return undefined;
    held = ((held << 6) | value) & 0xfff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (held >> bits) & 0xff;
    }
  }
  return (held & ((1 << bits) - 1)) === 0 ? bytes : undefined;
}

/** base64url without padding (RFC 4648 section 5). */
export function toBase64url(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const group = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    for (let k = 0; k < Math.min(bytes.length - i, 3) + 1; k++)
      text += BASE64URL[(group >> (18 - 6 * k)) & 63];
  }
  return text;
}

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
