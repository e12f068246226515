// One server per folder: a lock of the operating system on an open file. It ends with the process that holds it, however
// that ends, so a dead server's lock blocks nothing; and it holds between containers that share a volume, where a process
// number says nothing.

import { closeSync, constants, openSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { tryLock } from "fs-native-extensions";

const NAME = "hub.lock";

/** Holds a folder; the returned function lets it go. @throws where another server holds it, naming the folder */
export function lockFolder(folder: string): () => void {
  const file = openLockFile(resolve(folder, NAME));
  try {
    if (!tryLock(file))
      throw new Error(`${folder} is in use by another server: stop that one, or give another folder`);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  // The file stays: to remove it would let another process lock a file that is no longer there.
  return () => closeSync(file);
}

/** A link is no lock file of ours and could lead to one and the same file from two folders: it is replaced. */
function openLockFile(path: string): number {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  // Windows has no O_NOFOLLOW, and links only for who may make them.
  const open = () => openSync(path, O_RDWR | O_CREAT | (O_NOFOLLOW ?? 0), 0o600);
  try {
    return open();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ELOOP")) throw error;
    rmSync(path);
    return open();
  }
}
