import { MemoryBusNetwork } from "../testing/bus.memory.ts";
import { busContract } from "./relay-bus.contract.ts";

busContract("in memory", async () => {
  const network = new MemoryBusNetwork();
  return {
    join: async () => network.join(),
    cut: async () => network.cut(),
    restore: async () => network.restore(),
  };
});
