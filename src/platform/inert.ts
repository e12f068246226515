// Hostile text made visible: control, bidi and zero-width characters become marks; joiners that a script or an emoji
// family needs stay. Arabic, Hebrew and emoji come through unchanged. The one function for strangers' text on every way
// out: the page draws the parts (inert-text.tsx), terminal, log, titles and file names take `inertLine`, JSON `inertJson`,
// language models `markedText` and `untrusted`.

import { isObject, type Json } from "../core/canonical.ts";

export type InertPart =
  | { readonly kind: "text"; readonly text: string }
  /** One character that would be invisible or would reorder what is around it. `label` such as "U+202E". */
  | { readonly kind: "mark"; readonly label: string; readonly name: string };

const JOINING_SCRIPT =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const PICTOGRAPH = /\p{Extended_Pictographic}/u;
const EMOJI_TAIL = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}\u{20E3}]/u;
const FLAG_TAG = /[\u{E0020}-\u{E007F}]/u;

const NAMES = new Map<number, string>([
  [0x0009, "tab"],
  [0x000a, "line feed"],
  [0x000d, "carriage return"],
  [0x00ad, "soft hyphen"],
  [0x034f, "grapheme joiner"],
  [0x061c, "Arabic letter mark"],
  [0x115f, "Hangul filler"],
  [0x1160, "Hangul filler"],
  [0x180e, "vowel separator"],
  [0x200b, "zero-width space"],
  [0x200c, "zero-width non-joiner"],
  [0x200d, "zero-width joiner"],
  [0x200e, "left-to-right mark"],
  [0x200f, "right-to-left mark"],
  [0x2028, "line separator"],
  [0x2029, "paragraph separator"],
  [0x202a, "left-to-right embedding"],
  [0x202b, "right-to-left embedding"],
  [0x202c, "end of direction"],
  [0x202d, "left-to-right override"],
  [0x202e, "right-to-left override"],
  [0x2060, "word joiner"],
  [0x2066, "left-to-right isolate"],
  [0x2067, "right-to-left isolate"],
  [0x2068, "first-strong isolate"],
  [0x2069, "end of isolate"],
  [0x2800, "blank Braille pattern"],
  [0x3164, "Hangul filler"],
  [0xfeff, "byte order mark"],
  [0xffa0, "Hangul filler"],
]);

/** Cuts a text into what can be shown as it is and what must be shown as a mark. The parts' order is the text's. */
export function inertParts(text: string): readonly InertPart[] {
  const parts: InertPart[] = [];
  const characters = [...text];
  let plain = "";
  characters.forEach((character, i) => {
    const code = character.codePointAt(0)!;
    if (!isHidden(code) || isNeeded(characters, i)) {
      plain += character;
      return;
    }
    if (plain !== "") parts.push({ kind: "text", text: plain });
    plain = "";
    const label = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
    parts.push({ kind: "mark", label, name: NAMES.get(code) ?? nameOfRange(code) });
  });
  if (plain !== "") parts.push({ kind: "text", text: plain });
  return parts;
}

/** Whether a text holds a character that would be shown as a mark. */
export function hasMarks(text: string): boolean {
  return inertParts(text).some((part) => part.kind === "mark");
}

/** The same as one line of text, for places without markup (titles, file names, the clipboard of a report). */
export function inertLine(text: string): string {
  return inertParts(text)
    .map((part) => (part.kind === "text" ? part.text : `[${part.label}]`))
    .join("");
}

/**
 * JSON text of a value in which no character is left that a terminal would obey or hide: each is written by its escape,
 * so what a program reads is the same.
 */
export function inertJson(value: unknown): string {
  let escaped = "";
  for (const character of JSON.stringify(value)) {
    if (isHidden(character.codePointAt(0)!))
      for (let i = 0; i < character.length; i++)
        escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`;
    else escaped += character;
  }
  return escaped;
}

/** Longest text of another that is passed on to a reader with a small memory, in UTF-16 units. */
const MAX_MARKED = 2000;

/**
 * Another's text within a sentence for a reader that might take it for an instruction (a language model): one line between
 * two marks that it cannot contain.
 */
export function markedText(text: string): string {
  const cut = text.length > MAX_MARKED ? `${text.slice(0, MAX_MARKED)}…` : text;
  return `⟦${inertLine(cut).replaceAll("⟦", "[U+27E6]").replaceAll("⟧", "[U+27E7]")}⟧`;
}

/** Another's value within data for such a reader: under a member that says so, its texts inert. */
export function untrusted(value: Json): { readonly untrusted: Json } {
  return { untrusted: inertValue(value) };
}

function inertValue(value: Json): Json {
  if (typeof value === "string") return inertLine(value.slice(0, MAX_MARKED));
  if (Array.isArray(value)) return (value as readonly Json[]).map(inertValue);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [inertLine(name), inertValue(member)]),
  );
}

function isHidden(code: number): boolean {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
  if (NAMES.has(code)) return true;
  if (code >= 0xd800 && code < 0xe000) return true; // half of a character
  if (code >= 0x2061 && code <= 0x206f) return true;
  if (code >= 0x180b && code <= 0x180f) return true;
  if (code >= 0xfe00 && code <= 0xfe0f) return true;
  if (code >= 0xfff0 && code <= 0xfffb) return true;
  if (code >= 0xe0000 && code <= 0xe0fff) return true;
  return (code & 0xfffe) === 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
}

/** Joiners, variation selectors and flag tags in the places where writing or emoji need them. */
function isNeeded(characters: readonly string[], i: number): boolean {
  const code = characters[i]!.codePointAt(0)!;
  const before = characters[i - 1] ?? "";
  const after = characters[i + 1] ?? "";
  if (code === 0x200c) return JOINING_SCRIPT.test(before) && JOINING_SCRIPT.test(after);
  if (code === 0x200d)
    return (
      (EMOJI_TAIL.test(before) && PICTOGRAPH.test(after)) ||
      (JOINING_SCRIPT.test(before) && (JOINING_SCRIPT.test(after) || after === "" || after === " "))
    );
  if (code === 0xfe0f || code === 0xfe0e) return PICTOGRAPH.test(before) || /[0-9#*]/.test(before);
  if (code >= 0xe0020 && code <= 0xe007f) return isFlagTag(characters, i);
  return false;
}

/** Tags only as the rest of a subdivision's flag: a black flag, tags, the cancelling tag. */
function isFlagTag(characters: readonly string[], i: number): boolean {
  let start = i;
  while (FLAG_TAG.test(characters[start] ?? "") && i - start <= 8) start--;
  let end = i;
  while (FLAG_TAG.test(characters[end] ?? "") && end - i <= 8) end++;
  return characters[start] === "\u{1F3F4}" && characters[end - 1] === "\u{E007F}";
}

function nameOfRange(code: number): string {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return "control character";
  if (code >= 0xd800 && code < 0xe000) return "half of a character";
  if (code >= 0xfe00 && code <= 0xfe0f) return "variation selector";
  if (code >= 0xe0000 && code <= 0xe007f) return "tag character";
  if (code >= 0xe0100 && code <= 0xe01ef) return "variation selector";
  return "invisible character";
}
