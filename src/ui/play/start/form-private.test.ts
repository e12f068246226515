// The form of a private game: what it offers, and how many can take part.

import { expect, test } from "vitest";
import { checkForm, DEFAULT_FORM } from "./form.ts";

const form = { ...DEFAULT_FORM, isPrivate: true };

test("a private form offers a private session, an open one does not say so", () => {
  expect(checkForm(form, null)).toMatchObject({ ok: true, offer: { game: "rps", private: true } });
  const open = checkForm(DEFAULT_FORM, null);
  expect(open.ok && "private" in open.offer).toBe(false);
});

test("the key is sealed to each seat, so a genesis has room for fewer", () => {
  const compare = { ...form, game: "compare", whenSilent: "void" } as const;
  expect(checkForm({ ...compare, seats: "20" }, null)).toMatchObject({ ok: true, seats: 20 });
  expect(checkForm({ ...compare, seats: "64" }, null)).toMatchObject({ ok: false, at: "seats" });
  expect(checkForm({ ...compare, isPrivate: false, seats: "64" }, null)).toMatchObject({ ok: true });
});

test("a domain's name has at most 200 characters", () => {
  expect(checkForm({ ...form, domain: "🎲".repeat(200) }, null)).toMatchObject({ ok: true });
  expect(checkForm({ ...form, domain: "🎲".repeat(201) }, null)).toMatchObject({ ok: false, at: "domain" });
});
