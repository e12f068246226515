import { expect, test } from "vitest";
import { finish } from "../../core/steps.ts";
import type { Ref } from "../../core/values.ts";
import { KeptMembers, type StorageWindow } from "./kept-members.ts";
import type { KeptTexts } from "./page-texts.ts";
import { createPreferences, DEFAULT_PREFERENCES, keepPreferences, readPreferences } from "./preferences.ts";
import {
  createRecent,
  hashesOf,
  keepRecent,
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
  outcome: null,
  participants: [],
  claimed: new Map(),
  seat: null,
  witnesses: [],
  played: false,
  ...more,
});

/** Two tabs over one localStorage: what one writes, the other hears of, and a tab never hears of itself. */
function twoTabs(name: string) {
  const storage = new Map<string, string>();
  const listeners: ((event: { key: string | null; newValue: string | null }) => void)[] = [];
  const writes: string[] = [];
  const tab = (index: 0 | 1): KeptMembers => {
    const changed = (key: string, newValue: string | null) => {
      writes.push(`${index} ${newValue === null ? "removes" : "sets"} ${key}`);
      if (newValue === null) storage.delete(key);
      else storage.set(key, newValue);
      listeners[1 - index]?.({ key, newValue });
    };
    const texts: KeptTexts = {
      get: (key) => storage.get(key) ?? null,
      set: changed,
      remove: (key) => changed(key, null),
    };
    const page: StorageWindow = {
      localStorage: {
        get length() {
          return storage.size;
        },
        key: (i) => [...storage.keys()][i] ?? null,
      },
      addEventListener: (_, listener) => void (listeners[index] = listener),
    };
    return new KeptMembers(texts, page, name);
  };
  return { first: tab(0), second: tab(1), writes };
}

test("preferences are read back as they were kept, each by itself", () => {
  const { first, writes } = twoTabs("p");
  const store = createPreferences(DEFAULT_PREFERENCES);
  keepPreferences(store, first);
  store.getState().set({ theme: "dark", shortcuts: false });
  expect(readPreferences(first.all())).toEqual({ ...DEFAULT_PREFERENCES, theme: "dark", shortcuts: false });
  expect(writes).toEqual(["0 sets p/theme", "0 sets p/shortcuts"]);
});

test("two tabs: a stale tab’s change does not reset another’s Hub, and both agree", () => {
  const { first, second } = twoTabs("p");
  const [one, two] = [createPreferences(DEFAULT_PREFERENCES), createPreferences(DEFAULT_PREFERENCES)];
  keepPreferences(one, first);
  keepPreferences(two, second);
  one.getState().set({ hub: "https://hub.example" });
  two.getState().set({ theme: "dark" });
  expect(readPreferences(first.all())).toMatchObject({ hub: "https://hub.example", theme: "dark" });
  for (const { getState } of [one, two])
    expect(getState()).toMatchObject({ hub: "https://hub.example", theme: "dark" });
});

test.each([
  ["theme", '"__proto__"'],
  ["theme", ""],
  ["shortcuts", '"yes"'],
  ["hub", "7"],
  ["hub", "{"],
  ["__proto__", "{}"],
])("a kept preference that is damaged falls back: %s %s", (name, text) =>
  expect(readPreferences(new Map([[name, text]]))).toEqual(DEFAULT_PREFERENCES),
);

test("stored preferences are read before the store is made, so an early change wins", () => {
  const store = createPreferences(readPreferences(new Map([["theme", '"dark"']])));
  store.getState().set({ shortcuts: false });
  expect(store.getState()).toMatchObject({ theme: "dark", shortcuts: false });
});

test("two tabs: recent sessions of both are in both, newest first, and forgotten in both", () => {
  const { first, second, writes } = twoTabs("r");
  const [one, two] = [createRecent([]), createRecent([])];
  let now = 0;
  keepRecent(one, first, () => ++now);
  keepRecent(two, second, () => ++now);
  one.getState().note(recent(1));
  two.getState().note(recent(2, { result: "won" }));
  one.getState().note(recent(3));
  const expected = [recent(3), recent(2, { result: "won" }), recent(1)];
  for (const { getState } of [one, two]) expect(getState().sessions).toEqual(expected);
  expect(readRecent(first.all())).toEqual(expected);
  expect(writes).toHaveLength(3);
  two.getState().forget();
  for (const { getState } of [one, two]) expect(getState().sessions).toEqual([]);
  expect(first.all().size).toBe(0);
});

test("no more recent sessions are kept than are listed", () => {
  const { first } = twoTabs("r");
  const store = createRecent([]);
  let now = 0;
  keepRecent(store, first, () => ++now);
  for (let i = 0; i < MAX_RECENT + 3; i++) store.getState().note(recent(i));
  expect(first.all().size).toBe(MAX_RECENT);
  expect(readRecent(first.all())).toEqual(store.getState().sessions);
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
  const kept = [
    "{",
    JSON.stringify({ session: "x" }),
    "null",
    "3",
    JSON.stringify({ ...recent(1), at: "now" }),
  ];
  expect(readRecent(new Map(kept.map((text, i) => [String(i), text])))).toEqual([recent(1)]);
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
