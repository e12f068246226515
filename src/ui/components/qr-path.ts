// A QR code (ISO/IEC 18004) as one SVG path: a rectangle for every run of dark modules in a row. Pure.

import { encode } from "uqr";

export interface QrPath {
  /** Modules on a side, the quiet zone included. */
  readonly size: number;
  readonly path: string;
}

const QUIET_ZONE = 4;

/** Undefined where the text is longer than a code holds (2,953 bytes). */
export function qrPath(text: string): QrPath | undefined {
  let data: boolean[][];
  try {
    data = encode(text, { ecc: "L", boostEcc: true, border: QUIET_ZONE }).data;
  } catch {
    return undefined;
  }
  let path = "";
  data.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (row[x] !== true) continue;
      const start = x;
      while (row[x + 1] === true) x++;
      path += `M${start} ${y}h${x - start + 1}v1h-${x - start + 1}z`;
    }
  });
  return { size: data.length, path };
}
