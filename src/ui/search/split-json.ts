// Cuts the text of a JSON list into the texts of its items, without reading them into values: what is then checked
// and shown are the very bytes that were given, nothing repaired on the way. Whether the items are JSON is not looked at.

import type { Steps } from "../../core/steps.ts";

/** Characters looked at in one step. */
const STEP = 1 << 18;

/**
 * The source texts of a list's items, in order, without the white space around them; undefined where the text does not
 * end with the list, or an item is missing between two commas. The text is a JSON list exactly if each item is JSON.
 */
export function* splitSteps(text: string): Steps<readonly string[] | undefined> {
  const items: string[] = [];
  const open = text.indexOf("[");
  if (text.slice(0, open).trim() !== "" || open < 0) return undefined;
  let start = open + 1;
  let depth = 0;
  let quoted = false;
  let next = open + STEP;
  for (let i = open + 1; i < text.length; i++) {
    if (i >= next) {
      next = i + STEP;
      yield;
    }
    const character = text.charCodeAt(i);
    if (quoted) {
      if (character === BACKSLASH) i++;
      else if (character === QUOTE) quoted = false;
    } else if (character === QUOTE) quoted = true;
    else if (character === OPEN_OBJECT || character === OPEN_LIST) depth++;
    else if (character === COMMA && depth === 0) {
      items.push(text.slice(start, i).trim());
      start = i + 1;
    } else if (character === CLOSE_LIST && depth === 0) return endOf(text, start, i, items);
    else if (character === CLOSE_OBJECT || character === CLOSE_LIST) depth--;
  }
  return undefined;
}

function endOf(text: string, start: number, end: number, items: string[]): readonly string[] | undefined {
  const last = text.slice(start, end).trim();
  if (last !== "" || items.length > 0) items.push(last);
  return text.slice(end + 1).trim() !== "" || items.includes("") ? undefined : items;
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
