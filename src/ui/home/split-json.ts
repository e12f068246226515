// Cuts the text of a JSON list into the texts of its items, without reading them into values: what is then checked
// and shown are the very bytes that were given, nothing repaired on the way. Assumes that the text parses as JSON.

/** The source texts of a JSON list's items, in order, without the white space around them. */
export function splitList(text: string): readonly string[] {
  const items: string[] = [];
  const open = text.indexOf("[");
  const end = text.lastIndexOf("]");
  let start = open + 1;
  let depth = 0;
  let quoted = false;
  for (let i = open + 1; i < end; i++) {
    const character = text[i];
    if (quoted) {
      if (character === "\\") i++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
    else if (character === "," && depth === 0) {
      items.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  const last = text.slice(start, end).trim();
  if (last !== "") items.push(last);
  return items;
}
