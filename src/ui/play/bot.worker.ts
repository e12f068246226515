// The doorbell of the house in this browser: opens it over this browser's own Hub, and tells its address to the page.

import { openHouse } from "../../bot/bot.ts";
import { GAME_NAMES } from "./games.ts";
import { openHouseEnvironment } from "./bot-environment.ts";
import { errorText } from "../../platform/coded-error.ts";

openHouseEnvironment().then(
  ({ environment, log }) => {
    openHouse(environment, log, { games: GAME_NAMES, onEvent: (text) => console.debug(text) });
    self.postMessage(log.address);
  },
  (error: unknown) => self.postMessage(errorText(error)),
);
