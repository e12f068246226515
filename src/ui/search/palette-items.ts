// What the palette lists: commands of this page, pages of the app, recent sessions. Pure.

import { titleOfRecent } from "../names/format-recent.ts";
import { to } from "../routing/routes.ts";
import type { Command } from "../services/commands.ts";
import type { RecentSession } from "../services/recent.ts";

export type PaletteItem =
  | { readonly kind: "command"; readonly title: string; readonly key: string; readonly command: Command }
  | { readonly kind: "route"; readonly title: string; readonly key: string; readonly route: string }
  | {
      readonly kind: "recent";
      /** A stranger's text, as is `says`. */
      readonly title: string;
      readonly hint: string;
      readonly key: string;
      readonly route: string;
    };

const PAGES: readonly (readonly [title: string, route: string])[] = [
  ["Home: examples and recent sessions", to.home()],
  ["Play", to.play()],
  ["Play against the bot", "#/play?bot=1"],
  ["Compare two sessions, Hubs or files", to.compare()],
  ["Settings: keys, Hub, theme, shortcuts", to.settings()],
];

/** All items, in the order in which they are listed. */
export function paletteItems(
  commands: readonly Command[],
  recent: readonly RecentSession[],
  resultOf: (session: RecentSession) => string,
): readonly PaletteItem[] {
  return [
    ...commands.map((command) => ({
      kind: "command" as const,
      key: `command ${command.id}`,
      title: command.title,
      command,
    })),
    ...PAGES.map(([title, route]) => ({ kind: "route" as const, key: `route ${route}`, title, route })),
    ...recent.map((one) => ({
      kind: "recent" as const,
      key: `recent ${one.session}`,
      title: titleOfRecent(one),
      hint: resultOf(one),
      route: one.played ? to.board(one.session) : to.session(one.session),
    })),
  ];
}

/** Those that hold every word of the text, in any order; those whose title begins with it come first. */
export function filterItems(items: readonly PaletteItem[], text: string): readonly PaletteItem[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const [first = ""] = words;
  const searched = (item: PaletteItem) =>
    `${item.title} ${item.kind === "recent" ? item.hint : ""}`.toLowerCase();
  const found = items.filter((item) => words.every((word) => searched(item).includes(word)));
  const begins = (item: PaletteItem) => first !== "" && item.title.toLowerCase().startsWith(first);
  return [...found.filter(begins), ...found.filter((item) => !begins(item))];
}
