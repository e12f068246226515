// The skeleton of a text (UTS 39, section 4): texts that a reader can't tell apart have the same one. The mapping is
// Unicode's own confusables.txt, version 13.0 (6,311 characters), as the library carries it.

import unhomoglyph from "unhomoglyph";

/** For comparing only: the result is no text to show. */
export type Skeleton = (text: string) => string;

/** Longer texts are compared by their beginning. */
const LONGEST = 400;

/** NFD, without the characters that are not drawn, each character by its prototype, NFD again. */
export function skeletonOf(text: string): string {
  const drawn = text
    .slice(0, LONGEST)
    .normalize("NFD")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return unhomoglyph(drawn).normalize("NFD");
}
