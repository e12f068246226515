// The doorbell of the house in this browser: opens it over this browser's own Hub, and tells its address to the page.

import { openHouseEnvironment } from "./house-environment.ts";
import { openHouse } from "./house-bot.ts";

openHouseEnvironment().then(
  ({ environment, log }) => {
    openHouse(environment, log);
    self.postMessage(log.address);
  },
  (error: unknown) =>
    self.postMessage(error instanceof Error ? error.message : "The house could not be started."),
);
