// Makes a folder with its parents, one by one. Node's own `mkdir` with `recursive` tries for ever where the parent is
// there and still nothing can be made in it, as in procfs, and no signal reaches a process that does.

import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** A folder that cannot be made; the message names it and what stands in the way. */
export class FolderError extends Error {
  override readonly name = "FolderError";
}

/** @throws FolderError */
export function makeFolder(folder: string, mode?: number): void {
  const missing: string[] = [];
  for (let path = resolve(folder); !isFolder(path, folder); path = dirname(path)) missing.unshift(path);
  for (const path of missing) {
    try {
      mkdirSync(path, mode);
    } catch (error) {
      // Another process may have made it in between.
      if (codeOf(error) === "EEXIST" && isFolder(path, folder)) continue;
      throw cannot(folder, `${path} cannot be made there`, error);
    }
  }
}

/** False where nothing is at that path. @throws FolderError where something else than a folder is */
function isFolder(path: string, wanted: string): boolean {
  try {
    if (statSync(path).isDirectory()) return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT" && dirname(path) !== path) return false;
    if (codeOf(error) !== "ENOTDIR") throw cannot(wanted, `${path} cannot be read`, error);
  }
  throw cannot(wanted, `${path} is not a folder`);
}

function cannot(folder: string, why: string, cause?: unknown): FolderError {
  const code = cause === undefined ? "" : ` (${codeOf(cause) ?? "unknown error"})`;
  return new FolderError(`no data can be kept in ${folder}: ${why}${code}. Give another folder`, { cause });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
