// A Hub's server as a process of its own, for tests that kill it: `hub-process.ts FOLDER` prints its URL.

import { startServer } from "../server/server.ts";

const server = await startServer({ dataDir: process.argv[2]!, limits: { perSecond: 0 } });
console.log(server.url);
