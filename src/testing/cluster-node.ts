// A node of a cluster as a process of its own: `cluster-node.ts PORT STORE BUS`. Prints its URL; SIGTERM has it take leave.

import { openPostgres } from "../server/postgres-open.ts";
import { QUOTA_OPTIONS } from "../server/quota.ts";
import { NatsBus } from "../server/relay-bus.nats.ts";
import { startServer, systemClock } from "../server/server.ts";

const [port = "0", store = "", bus = ""] = process.argv.slice(2);
const server = await startServer({
  port: Number(port),
  store: await openPostgres({ url: store, connections: 4 }, QUOTA_OPTIONS),
  bus: new NatsBus({ url: bus, clock: systemClock, note: () => undefined }),
});
console.log(server.url);
process.once("SIGTERM", () => void server.close().then(() => process.exit(0)));
