// What each game is called and what it is about, in a sentence.

export const GAME_NAMES = ["rps", "vote", "auction", "compare"] as const;
export type GameName = (typeof GAME_NAMES)[number];

export const TITLES: Record<GameName, string> = {
  rps: "Rock, paper, scissors",
  vote: "Vote",
  auction: "Auction",
  compare: "Compare",
};

export const ABOUT: Record<GameName, string> = {
  rps: "Both seal a choice, then both open it. Neither can look first, and anybody can check it afterwards.",
  vote: "One ballot each among your options, open or sealed until all are in. Anybody can count again.",
  auction: "Sealed bids that are opened together, or open bids that rise. Amounts are exact at any size.",
  compare: "Everybody seals a value; opened together, the highest, lowest or closest is ahead, or all match.",
};

export function isGameName(value: unknown): value is GameName {
  return GAME_NAMES.some((name) => name === value);
}

/** The title of a game; the bare name (a stranger's text) where it is not known here. */
export function gameTitle(game: string): string {
  return isGameName(game) ? TITLES[game] : game;
}
