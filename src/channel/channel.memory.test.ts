import { channelContract } from "./channel.contract.ts";
import { MemoryBroker } from "./channel.memory.ts";

channelContract("memory", async () => {
  const broker = new MemoryBroker(() => undefined);
  return { connect: () => broker.connect(), close: async () => undefined };
});
