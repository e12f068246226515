import { expect, test } from "vitest";
import { askToKeep, readKeeping, type StoragePort } from "./storage-persistence.ts";

const says = (value: boolean) => () => Promise.resolve(value);
const fails = () => Promise.reject(new Error("not here"));

test.each<[string, StoragePort | undefined, string, string]>([
  ["promised", { persisted: says(true), persist: says(true) }, "promised", "promised"],
  ["granted when asked", { persisted: says(false), persist: says(true) }, "not-promised", "promised"],
  ["refused", { persisted: says(false), persist: says(false) }, "not-promised", "not-promised"],
  ["no storage manager", undefined, "unknown", "unknown"],
  ["an old one", {}, "unknown", "unknown"],
  ["it cannot be asked but tells", { persisted: says(false) }, "not-promised", "not-promised"],
  ["it fails", { persisted: fails, persist: fails }, "unknown", "unknown"],
])("%s: a promise is shown only where it was given", async (_, storage, before, after) => {
  expect(await readKeeping(storage)).toBe(before);
  expect(await askToKeep(storage)).toBe(after);
});
