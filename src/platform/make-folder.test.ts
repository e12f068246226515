import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FolderError, makeFolder } from "./make-folder.node.ts";

let base: string;
beforeEach(() => void (base = mkdtempSync(join(tmpdir(), "coop-folder-"))));
afterEach(() => rmSync(base, { recursive: true }));

test("makes a folder with its parents, once or twice, with the mode asked for", () => {
  const folder = join(base, "a", "b", "c");
  makeFolder(folder, 0o700);
  makeFolder(folder, 0o700);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("a link to a folder is a folder", () => {
  mkdirSync(join(base, "real"));
  symlinkSync(join(base, "real"), join(base, "link"));
  makeFolder(join(base, "link", "x"));
  expect(existsSync(join(base, "real", "x"))).toBe(true);
});

test.each([
  ["procfs", () => "/proc/coop-data"],
  ["below procfs", () => "/proc/coop/data"],
  ["sysfs", () => "/sys/coop-data"],
  ["a device", () => "/dev/null/data"],
  [
    "a file",
    () => {
      writeFileSync(join(base, "file"), "");
      return join(base, "file");
    },
  ],
  ["a file in the middle", () => join(import.meta.filename, "a", "b")],
  [
    "a dangling link",
    () => {
      symlinkSync(join(base, "nothing"), join(base, "dangling"));
      return join(base, "dangling");
    },
  ],
])("%s is refused at once, by name", (_what, path) => {
  const folder = path();
  expect(() => makeFolder(folder)).toThrow(FolderError);
  expect(() => makeFolder(folder)).toThrow(`no data can be kept in ${folder}: `);
});
