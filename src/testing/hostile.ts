// A session in which every text that its authors may choose is an attack on whoever shows it: markup, script links,
// turns of direction, invisible characters, look-alikes, depth, one line of thousands of characters. Seeded.
// What runs sets `window.hit`. Assumes nothing of how it is shown.

import type { JsonObject } from "../core/canonical.ts";
import type { Address } from "../core/values.ts";
import { addressOf, Drawing, type Name } from "./build.ts";
import { seededRandom } from "./random.ts";

/** Texts that would run, disguise or break what is around them. */
export const ATTACKS: readonly string[] = [
  '<img src=x onerror="window.hit=1">',
  "</script><script>window.hit=1</script>",
  '"><svg onload=window.hit=1>',
  "javascript:window.hit=1",
  "data:text/html,<script>window.hit=1</script>",
  "${window.hit=1}{{window.hit=1}}",
  '<a href="javascript:window.hit=1">open</a>',
  '<iframe srcdoc="<script>parent.hit=1</script>"></iframe>',
  "<style>*{display:none}</style>",
  "\u202egnp.exe\u202c",
  "\u2066\u2067isolated and never closed",
  "pay\u200bpal \u2060\ufeff\u00ad",
  "\u{e0041}\u{e0042}tags",
  "\u0410lice", // a Cyrillic A
  "a\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309\u030a\u030b\u030c",
  "line\nbreak\ttab\u2028and\u0000null",
  "__proto__",
  "constructor",
  "%3Cscript%3E%00",
  "W".repeat(120),
];

/** Two or three attacks in one text of at most so many code points. */
export function hostileText(random: () => number, most = 200): string {
  const pick = () => ATTACKS[Math.floor(random() * ATTACKS.length)]!;
  const text = [pick(), pick(), ...(random() < 0.5 ? [pick()] : [])].join(" ");
  return [...text].slice(0, most).join("");
}

/** An address that begins and ends as another does; nobody has its key. */
export function imitationOf(address: Address): Address {
  return `${address.slice(0, 12)}${"0123456789abcdef".repeat(2).slice(0, 20)}${address.slice(-10)}` as Address;
}

function nested(levels: number, inside: string): JsonObject {
  let value: JsonObject = { end: inside };
  for (let i = 0; i < levels; i++) value = { deeper: value };
  return value;
}

/** An open vote of two players and an imitation of the second; a forks at its end. Node names: g, a1, b1, a2, b2, a3. */
export function hostileSession(seed: number, a: Name, b: Name): Drawing {
  const random = seededRandom(seed);
  const text = (most?: number) => hostileText(random, most);
  const options = [text(), text(), "\u0410lice", "Alice"];
  return new Drawing()
    .genesis("g", a, `${a} ${b}`, {
      game: "vote",
      rules: { options },
      deadline: 40,
      body: {
        title: `<img src=x onerror="window.hit=1"> \u202e ${text(140)}`,
        participants: [addressOf(a), addressOf(b), imitationOf(addressOf(b))],
      },
    })
    .add("a1", a, "vote", { choice: options[0]!, note: text() })
    .add("b1", b, "vote", { choice: text(), [text()]: text() }, { sees: "a1" })
    .add("a2", a, "tick", { value: "W".repeat(15_000) }, { sees: "b1" })
    .add("b2", b, "tick", { deep: nested(11, text()), list: ATTACKS }, { sees: "a2" })
    .add("a3", a, "commit", { commitment: text() }, { sees: "b2" })
    .add("a3b", a, "tick", { other: text() }, { sees: "b2", after: "a2" });
}

/** The body of an invite that offers such a session. */
export function hostileOffer(seed: number): JsonObject {
  const random = seededRandom(seed);
  return {
    game: "vote",
    rules: { options: [hostileText(random), hostileText(random)] },
    deadline: 40,
    default_outcome: { kind: "void" },
    title: `<img src=x onerror="window.hit=1"> \u202e ${hostileText(random, 140)}`,
  };
}

/** Records that are no entries, each refused by another check. */
export function hostileRecords(drawing: Drawing): readonly string[] {
  const wire = drawing.wire("a1");
  return [
    wire.replace('"type":"vote"', '"type":"<img src=x onerror=window.hit=1>"'),
    wire.replace('"seq":1', '"seq":"\u202e<svg onload=window.hit=1>"'),
    wire.replace('"body":{', '"body":{"<img src=x onerror=window.hit=1>\u202e":1,'),
    wire.replace('"body":{', `"body":{"d":${"[".repeat(40)}${"]".repeat(40)},`),
    `{"<script>window.hit=1</script>\u202e":${"[".repeat(5_000)}`,
    "<!doctype html><script>window.hit=1</script>",
    "W".repeat(16_000),
  ];
}
