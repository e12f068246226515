import { expect, test } from "vitest";
import { hasMarks, inertJson, inertLine, inertParts } from "./inert.ts";

test.each([
  ["plain", "paper beats rock"],
  ["Arabic", "مرحبا بالعالم"],
  ["Persian with a non-joiner", "می\u200cخواهم"],
  ["Hebrew", "שלום עולם"],
  ["Hindi with a joiner", "क्\u200dष"],
  ["an emoji family", "👨\u200d👩\u200d👧\u200d👦"],
  ["an emoji with a skin tone and a joiner", "👩🏽\u200d🚀"],
  ["a heart on fire", "❤\ufe0f\u200d🔥"],
  ["a keycap", "1\ufe0f\u20e3"],
  ["the flag of Scotland", "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}"],
  ["the rainbow flag", "🏳\ufe0f\u200d🌈"],
  ["accents that combine", "e\u0301"],
  ["markup stays text", "<b>x</b> javascript:alert(1)"],
  ["nothing", ""],
])("%s comes through unchanged", (_name, text) => {
  expect(inertParts(text)).toEqual(text === "" ? [] : [{ kind: "text", text }]);
});

test.each([
  ["a direction override", "a\u202eb", "a[U+202E]b"],
  ["an isolate", "\u2066x\u2069", "[U+2066]x[U+2069]"],
  ["a zero-width space", "pay\u200bpal", "pay[U+200B]pal"],
  ["a joiner between Latin letters", "pay\u200dpal", "pay[U+200D]pal"],
  ["a non-joiner between Latin letters", "pay\u200cpal", "pay[U+200C]pal"],
  ["a joiner at the end of an emoji", "👨\u200d", "👨[U+200D]"],
  ["a byte order mark", "\ufeffx", "[U+FEFF]x"],
  ["a soft hyphen", "a\u00adb", "a[U+00AD]b"],
  ["a null", "a\0b", "a[U+0000]b"],
  ["an escape", "\u001b[31m", "[U+001B][31m"],
  ["a delete", "\u007f", "[U+007F]"],
  ["a line feed", "a\nb", "a[U+000A]b"],
  ["a line separator", "a\u2028b", "a[U+2028]b"],
  ["a Hangul filler", "\u3164", "[U+3164]"],
  ["tags after a letter", "a\u{e0061}", "a[U+E0061]"],
  ["tags without an end", "🏴\u{e0067}\u{e0062}", "🏴[U+E0067][U+E0062]"],
  ["a variation selector after a letter", "a\ufe0f", "a[U+FE0F]"],
  ["a half of a character", "\ud800", "[U+D800]"],
  ["a noncharacter", "\uffff", "[U+FFFF]"],
])("%s is made visible", (_name, text, line) => {
  expect(inertLine(text)).toBe(line);
  expect(hasMarks(text)).toBe(true);
});

test("a long run of tags costs time in proportion to its length", () => {
  const text = `🏴${"\u{e0061}".repeat(20_000)}`;
  expect(inertParts(text).length).toBe(20_001);
});

test("JSON for a program holds no character that a terminal obeys, and reads as it was", () => {
  const value = { "\u202ekey": ["\u001b[31m\u0007\r\n\u009b\u0085\u2066\ufeff\u{e0041}", "Zoë 🎲"] };
  const text = inertJson(value);
  expect(text).toMatch(/^[\x20-\x7eë🎲]*$/u);
  expect(JSON.parse(text)).toEqual(value);
});
