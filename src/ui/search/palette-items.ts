// What the palette lists: what can be done on this page, places of the app, sessions opened lately. Pure.

import { parseRef } from "../../core/values.ts";
import { to } from "../routing/routes.ts";
import type { Command } from "../services/commands.ts";
import type { RecentSession } from "../services/recent.ts";

export type PaletteItem =
  | { readonly kind: "command"; readonly title: string; readonly key: string; readonly command: Command }
  | { readonly kind: "place"; readonly title: string; readonly key: string; readonly route: string }
  | {
      readonly kind: "recent";
      /** A stranger's text, as is `says`. */
      readonly title: string;
      readonly says: string;
      readonly key: string;
      readonly route: string;
    };

const PLACES: readonly (readonly [title: string, route: string])[] = [
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
): readonly PaletteItem[] {
  return [
    ...commands.map((command) => ({
      kind: "command" as const,
      key: `command ${command.id}`,
      title: command.title,
      command,
    })),
    ...PLACES.map(([title, route]) => ({ kind: "place" as const, key: `place ${route}`, title, route })),
    ...recent.map(({ session, game, title, says, played }) => ({
      kind: "recent" as const,
      key: `recent ${session}`,
      title:
        title === "" ? `${game === "" ? "session" : game} ${parseRef(session)!.hash.slice(2, 10)}` : title,
      says: says === "" ? "open" : says,
      route: played ? to.board(session) : to.session(session),
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
    `${item.title} ${item.kind === "recent" ? item.says : ""}`.toLowerCase();
  const found = items.filter((item) => words.every((word) => searched(item).includes(word)));
  const begins = (item: PaletteItem) => first !== "" && item.title.toLowerCase().startsWith(first);
  return [...found.filter(begins), ...found.filter((item) => !begins(item))];
}
