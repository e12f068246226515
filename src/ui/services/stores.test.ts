import { expect, test } from "vitest";
import { finish } from "../../core/steps.ts";
import type { Ref } from "../../core/values.ts";
import { createPreferences, DEFAULT_PREFERENCES, preferencesOf, readPreferences } from "./preferences.ts";
import {
  createRecent,
  hashesOf,
  MAX_RECENT,
  readRecent,
  withRecent,
  withSeen,
  type RecentSession,
} from "./recent.ts";
import { createSources } from "./sources.ts";

const ref = (n: number): Ref => `0x${"a1".repeat(20)}:${n}:0x${n.toString(16).padStart(64, "0")}`;
const recent = (n: number, more: Partial<RecentSession> = {}): RecentSession => ({
  session: ref(n),
  game: "rps",
  title: "",
  result: "",
  witnesses: [],
  played: false,
  ...more,
});

test("preferences are read back as they were kept", () => {
  const store = createPreferences(DEFAULT_PREFERENCES);
  store.getState().set({ theme: "dark", shortcuts: false });
  expect(readPreferences(JSON.stringify(preferencesOf(store.getState())))).toEqual({
    ...DEFAULT_PREFERENCES,
    theme: "dark",
    shortcuts: false,
  });
});

test.each([[null], [""], ["null"], ["[]"], ['{"theme":"__proto__","shortcuts":"yes","hub":7}']])(
  "kept preferences that are damaged fall back: %s",
  (text) => expect(readPreferences(text)).toEqual(DEFAULT_PREFERENCES),
);

test("stored preferences are read before the store is made, so an early change wins", () => {
  const store = createPreferences(readPreferences('{"theme":"dark"}'));
  store.getState().set({ shortcuts: false });
  expect(store.getState()).toMatchObject({ theme: "dark", shortcuts: false });
});

test("recent sessions: newest first, each once, a seat stays noted, at most so many", () => {
  const store = createRecent([]);
  for (let i = 0; i < MAX_RECENT + 3; i++) store.getState().note(recent(i, { played: i === 5 }));
  store.getState().note(recent(5, { result: "won" }));
  const { sessions } = store.getState();
  expect(sessions.length).toBe(MAX_RECENT);
  expect(sessions[0]).toEqual(recent(5, { result: "won", played: true }));
  expect(new Set(sessions.map((s) => s.session)).size).toBe(MAX_RECENT);
  expect(withRecent(sessions, recent(5, { result: "won" }))).toBe(sessions);
});

test("a hash that was seen leads to its ref; the same refs again change nothing", () => {
  const store = createRecent([recent(1)]);
  store.getState().see([ref(7)]);
  const { seen } = store.getState();
  expect(seen.get(`0x${"7".padStart(64, "0")}`)).toBe(ref(7));
  expect(seen.get(`0x${"1".padStart(64, "0")}`)).toBe(ref(1));
  store.getState().see([ref(7), ref(1)]);
  expect(store.getState().seen).toBe(seen);
});

test("hashes that were looked up in steps are seen like others, whichever are more", () => {
  const refs = Array.from({ length: 3_000 }, (_, i) => ref(i));
  const store = createRecent([recent(1)]);
  store.getState().saw(finish(hashesOf(refs)));
  const { seen } = store.getState();
  expect(seen).toEqual(withSeen(new Map(), refs));
  store.getState().saw(finish(hashesOf([ref(5), ref(9_000)])));
  expect(store.getState().seen).toEqual(withSeen(seen, [ref(9_000)]));
});

test("kept recent sessions that are damaged are left out", () => {
  expect(readRecent(JSON.stringify([recent(1), { session: "x" }, null, 3]))).toEqual([recent(1)]);
  expect(readRecent("{")).toEqual([]);
});

test("two sources of one session are joined, and nothing that was given is lost", () => {
  const store = createSources();
  store.getState().add({ session: ref(1), name: "a", records: ["1", "2"] });
  store.getState().add({ session: ref(1), name: "b", records: ["2", "3"] });
  expect(store.getState().bySession.get(ref(1))).toEqual({
    session: ref(1),
    name: "a, b",
    records: ["1", "2", "3"],
  });
  store.getState().forget(ref(1));
  expect(store.getState().bySession.size).toBe(0);
});
