// What a file is, by its first bytes: so that a picture, an archive or a web page is named, not read as damaged records.

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "gzip";

export type Sniffed =
  | { readonly ok: true; readonly encoding: Encoding; readonly bomLength: number }
  /** What it is, as the end of a sentence: "It is a picture (PNG)." */
  | { readonly ok: false; readonly what: string };

/** Bytes that are looked at. */
export const SNIFF_LENGTH = 1024;

const MAGIC: readonly (readonly [string, string])[] = [
  ["89504e470d0a1a0a", "a picture (PNG)"],
  ["ffd8ff", "a picture (JPEG)"],
  ["474946383761", "a picture (GIF)"],
  ["474946383961", "a picture (GIF)"],
  ["52494646", "a picture or a sound (RIFF)"],
  ["49492a00", "a picture (TIFF)"],
  ["4d4d002a", "a picture (TIFF)"],
  ["255044462d", "a PDF document"],
  ["504b0304", "a ZIP archive; unpack it and open what is inside"],
  ["504b0506", "an empty ZIP archive"],
  ["28b52ffd", "compressed by zstd; unpack it first"],
  ["fd377a585a00", "compressed by xz; unpack it first"],
  ["425a68", "compressed by bzip2; unpack it first"],
  ["377abcaf271c", "a 7z archive; unpack it and open what is inside"],
  ["53514c69746520666f726d6174203300", "an SQLite database"],
  ["7f454c46", "a program"],
];

/** Assumes at least one byte. */
export function sniffFormat(head: Uint8Array): Sniffed {
  const hex = [...head.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (hex.startsWith("1f8b")) return { ok: true, encoding: "gzip", bomLength: 0 };
  if (hex.startsWith("efbbbf")) return sniffText(head.subarray(3), 3);
  if (hex.startsWith("fffe0000") || hex.startsWith("0000feff"))
    return { ok: false, what: "text in UTF-32; save it as UTF-8" };
  if (hex.startsWith("fffe")) return { ok: true, encoding: "utf-16le", bomLength: 2 };
  if (hex.startsWith("feff")) return { ok: true, encoding: "utf-16be", bomLength: 2 };
  const magic = MAGIC.find(([start]) => hex.startsWith(start));
  if (magic !== undefined) return { ok: false, what: magic[1] };
  return sniffText(head, 0);
}

function sniffText(head: Uint8Array, bomLength: number): Sniffed {
  // JSON begins with an ASCII character: a zero beside it is the other half of a UTF-16 unit.
  if (head.length > 1 && head[1] === 0 && head[0] !== 0) return { ok: true, encoding: "utf-16le", bomLength };
  if (head.length > 1 && head[0] === 0 && head[1] !== 0) return { ok: true, encoding: "utf-16be", bomLength };
  if (head.includes(0)) return { ok: false, what: "no text: it holds zero bytes" };
  const text = new TextDecoder().decode(head).trimStart().toLowerCase();
  if (/^(<!doctype html|<html|<head|<body)/.test(text))
    return {
      ok: false,
      what: "a web page (HTML). If it is a report saved from here, open it in a browser; the records themselves are in the bundle (.coop.jsonl)",
    };
  if (/^(<\?xml[^>]*>\s*)?(<!--[^]*?-->\s*)?(<!doctype svg|<svg)/.test(text))
    return { ok: false, what: "a picture (SVG)" };
  if (text.startsWith("<?xml")) return { ok: false, what: "an XML document" };
  return { ok: true, encoding: "utf-8", bomLength };
}
