// A store of one file a key, in a directory that only its owner may read. A write goes to a draft, is fsynced and
// renamed (`put`) or linked (`add`) into place, and the directory is fsynced: after a crash a key has its old text
// or its new one. Drafts that a crash left behind are removed on opening.

import { randomBytes } from "node:crypto";
import { link, open, readdir, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { StoreError, type Store } from "./key-value-store.ts";
import { makeFolder } from "./make-folder.node.ts";

const DRAFT = ".draft-";

/** Opens, and makes where it is not there yet, the store in a directory. @throws StoreError `unavailable` */
export async function fileStore(directory: string): Promise<Store> {
  try {
    makeFolder(directory, 0o700);
    for (const name of await readdir(directory))
      if (name.startsWith(DRAFT)) await unlink(join(directory, name)).catch(() => undefined);
  } catch (error) {
    throw new StoreError("unavailable", `cannot keep files in ${directory}`, { cause: error });
  }
  const pathOf = (key: string) => join(directory, nameOf(key));
  return {
    durability: "disk",
    get: (key) => guard(() => orMissing(readFile(pathOf(key), "utf8"), undefined)),
    put: (key, value) =>
      guard(() => placed(directory, value, (draft) => rename(draft, pathOf(key)).then(() => true))).then(
        () => undefined,
      ),
    add: (key, value) =>
      guard(() =>
        placed(directory, value, (draft) =>
          link(draft, pathOf(key)).then(
            () => true,
            (error: unknown) => {
              if (codeOf(error) === "EEXIST") return false;
              throw error;
            },
          ),
        ),
      ),
    remove: (key) =>
      guard(async () => {
        await orMissing(unlink(pathOf(key)), undefined);
        await syncDirectory(directory);
      }),
    keys: (prefix) =>
      guard(async () => {
        const names = (await readdir(directory)).filter((name) => !name.startsWith(DRAFT));
        return names
          .map(keyOf)
          .filter((key) => key.startsWith(prefix))
          .sort();
      }),
    close: async () => undefined,
  };
}

/** Writes a draft, fsyncs it, has it put into place, and leaves no draft behind. */
async function placed(
  directory: string,
  value: string,
  place: (draft: string) => Promise<boolean>,
): Promise<boolean> {
  const draft = join(directory, DRAFT + randomBytes(9).toString("hex"));
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(value);
      await file.sync();
    } finally {
      await file.close();
    }
    const done = await place(draft);
    await syncDirectory(directory);
    return done;
  } finally {
    await orMissing(unlink(draft), undefined);
  }
}

async function syncDirectory(directory: string): Promise<void> {
  // Windows opens no directories; there a rename is durable by itself.
  if (process.platform === "win32") return;
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * One name for each key: a key of letters, digits and `-`, `_`, `=` is kept readable, other characters are written as
 * `%` and the hex of their UTF-8. Upper case is escaped too: some file systems do not tell it from lower case.
 */
function nameOf(key: string): string {
  return key.replaceAll(/[^a-z0-9_=-]/gu, (char) =>
    [...Buffer.from(char, "utf8")].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  );
}

function keyOf(name: string): string {
  return decodeURIComponent(name);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function orMissing<T, M>(work: Promise<T>, missing: M): Promise<T | M> {
  return work.catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return missing;
    throw error;
  });
}

async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) === "ENOSPC" || codeOf(error) === "EDQUOT")
      throw new StoreError("full", "the disk is full", { cause: error });
    throw new StoreError("failed", "the store's files could not be written or read", { cause: error });
  }
}
