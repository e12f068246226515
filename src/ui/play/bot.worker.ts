// Worker entry: starts the bot over this browser's own Hub and posts its address, or why it cannot start, to the page.

import { openBot } from "../../bot/bot.ts";
import { errorText } from "../../platform/coded-error.ts";
import { openBotEnvironment } from "./bot-environment.ts";
import { GAME_NAMES } from "./games.ts";

openBotEnvironment().then(
  ({ environment, log }) => {
    openBot(environment, log, { games: GAME_NAMES, onEvent: (text) => console.debug(text) });
    self.postMessage(log.address);
  },
  (error: unknown) => self.postMessage(errorText(error)),
);
