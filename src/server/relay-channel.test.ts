import { WebSocket } from "ws";
import { realClock, startRelay } from "../testing/relay-harness.ts";
import { channelContract } from "../channel/channel.contract.ts";
import { RelayChannel } from "../channel/channel.websocket.ts";

channelContract("websocket, over the real relay", async () => {
  const { url, close } = await startRelay();
  const report = (): void => undefined;
  return {
    connect: () => new RelayChannel({ url, WebSocket, clock: realClock, random: Math.random, report }),
    close,
  };
});
