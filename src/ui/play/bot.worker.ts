// The doorbell of the house in this browser: opens it over this browser's own Hub, and tells its address to the page.

import { openHouse } from "../../bot/bot.ts";
import { GAME_NAMES } from "./games.ts";
import { openHouseEnvironment } from "./bot-environment.ts";

openHouseEnvironment().then(
  ({ environment, log }) => {
    openHouse(environment, log, { games: GAME_NAMES, onEvent: (text) => console.debug(text) });
    self.postMessage(log.address);
  },
  (error: unknown) =>
    self.postMessage(error instanceof Error ? error.message : "The house could not be started."),
);
