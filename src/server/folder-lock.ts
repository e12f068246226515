// One process per folder: a lock file with the holder's process id. A dead holder's lock is taken over, so that a
// server that was killed starts again by itself.

import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { resolve } from "node:path";

/** Lock files that this very process holds. In a container a restarted process often has the number of the dead one. */
const held = new Set<string>();

/** Holds a folder for this process; the returned function lets it go. @throws where a living process holds it */
export function lockFolder(folder: string): () => void {
  const path = resolve(folder, "hub.lock");
  if (held.has(path)) throw new Error(`${folder} is already open in this process`);
  for (;;) {
    try {
      const file = openSync(path, "wx");
      writeSync(file, String(process.pid));
      closeSync(file);
      held.add(path);
      return () => {
        held.delete(path);
        rmSync(path, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const holder = Number(readFileSync(path, "utf8"));
      if (Number.isInteger(holder) && holder > 0 && holder !== process.pid && isAlive(holder))
        throw new Error(`${folder} is in use by process ${holder}`, { cause: error });
      rmSync(path, { force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
