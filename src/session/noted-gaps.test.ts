import { expect, test } from "vitest";
import type { Address, Ref } from "../core/values.ts";
import type { CollectNote } from "../session/collect-session.ts";
import { HubError } from "../hub/hub-error.ts";
import { notedMissing } from "./noted-gaps.ts";

const owner: Address = `0x${"a".repeat(40)}`;
const ref: Ref = `${owner}:3:0x${"1".repeat(64)}`;
const log = { hub: "h", owner, what: "log" } as const;
const mirror = { ...log, what: "mirror" } as const;
const error = new HubError("offline", "no answer");

test.each<readonly [CollectNote, unknown]>([
  [
    { ...log, what: "ref", kind: "missing", ref },
    { kind: "ref", ref },
  ],
  [
    { ...log, what: "genesis", kind: "other", ref, found: null },
    { kind: "ref", ref },
  ],
  [
    { ...log, kind: "hole", from: 2, to: 4 },
    { kind: "places", wallet: owner, from: 2, to: 4 },
  ],
  [
    { ...log, kind: "unreadable", seq: 7 },
    { kind: "places", wallet: owner, from: 7, to: 7 },
  ],
  [
    { ...log, kind: "differs", seq: 7 },
    { kind: "places", wallet: owner, from: 7, to: 7 },
  ],
  [
    { ...log, kind: "failed", error },
    { kind: "places", wallet: owner, from: 0, to: null },
  ],
  [
    { ...log, kind: "capped", limit: 9, unit: "records" },
    { kind: "places", wallet: owner, from: 0, to: null },
  ],
  [{ ...mirror, kind: "failed", error }, { kind: "anything" }],
  [{ ...mirror, kind: "capped", limit: 9, unit: "bytes" }, { kind: "anything" }],
  [{ ...mirror, kind: "hole", from: 2, to: 4 }, { kind: "anything" }],
  [{ ...mirror, kind: "unreadable", seq: 7 }, { kind: "anything" }],
  [{ ...log, kind: "unplaced", count: 1 }, null],
  [{ ...log, kind: "repeated", count: 1 }, null],
  [{ ...mirror, kind: "foreign", count: 1 }, null],
])("a note of $kind about a $what", (note, missing) => {
  expect(notedMissing(note)).toEqual(missing);
});
