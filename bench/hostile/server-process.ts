// The server under attack, in a process of its own, with the limits for remote clients on loopback too. Its store holds
// as many rows of one conversation as its argument says; it prints its port, and its resident memory on request.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LmdbStore } from "../../src/server/hub-store.lmdb.ts";
import { UNLIMITED } from "../../src/server/quota.ts";
import { startServer } from "../../src/server/server.ts";

const owner = "0x00000000000000000000000000000000000000a1";
const rows = Number(process.argv[2] ?? 0);
const folder = mkdtempSync(join(tmpdir(), "coop-hostile-"));
const store = new LmdbStore(folder, { quota: UNLIMITED, exempt: () => false });
await store.makeBucket("rows", owner, "memory");
const value = Buffer.from("x");
for (let row = 0; row < rows; row += 20_000)
  await Promise.all(
    Array.from({ length: Math.min(20_000, rows - row) }, (_, i) =>
      store.put(owner, "rows", `a_${row + i}`, value, 0),
    ),
  );
const server = await startServer({ store, trustProxy: 0, limits: { loopback: true } });
process.send?.({ port: server.port });
process.on("message", () => process.send?.({ megabytes: process.memoryUsage().rss / 1024 / 1024 }));
process.on("disconnect", () => {
  void server.close().then(() => {
    rmSync(folder, { recursive: true });
    process.exit(0);
  });
});
