import { expect, test } from "vitest";
import { claimedName } from "./claimed-name.ts";

test.each(["Ada", "Ada L.", "é\u{1f3b2}", "\u{1f3b2}".repeat(40)])(
  "S9: a claimed name is shown: %j",
  (name) => expect(claimedName({ body: { name } })).toBe(name),
);
test.each(["", " ", "a".repeat(41), "a\nb", "a\u202eb", "a\u200bb", "a\u2028b", "a\u0007", 7, null])(
  "S9: a claimed name is not shown: %j",
  (name) => expect(claimedName({ body: { name } })).toBeUndefined(),
);
test("S9: an entry without a name claims none", () => expect(claimedName({ body: {} })).toBeUndefined());
