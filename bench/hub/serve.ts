// The server under load, as a process of its own: `serve.ts memory`, `serve.ts lmdb`, or `serve.ts postgres` with the
// database's URL in BENCH_STORE. It prints its URL, and for
// each line of stdin its memory and the processor time it has used; it ends with stdin.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryStore } from "../../src/server/hub-store.memory.ts";
import { openPostgres } from "../../src/server/postgres-open.ts";
import { QUOTA_OPTIONS } from "../../src/server/quota.ts";
import { startServer } from "../../src/server/server.ts";

const dataDir = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "coop-bench-"));
const kind = process.argv[2];
const store =
  kind === "memory"
    ? new MemoryStore()
    : kind === "postgres"
      ? await openPostgres({ url: process.env["BENCH_STORE"] ?? "", connections: 10 }, QUOTA_OPTIONS)
      : undefined;
const server = await startServer({
  ...(store === undefined ? { dataDir } : { store }),
  limits: { perSecond: 0 },
});
console.log(server.url);
process.stdin.on("data", () => {
  const { user, system } = process.cpuUsage();
  const megabytes = Math.round(process.memoryUsage().rss / 1024 / 1024);
  console.log(JSON.stringify({ megabytes, cpu: user + system }));
});
process.stdin.on("end", () => {
  void server.close().then(() => {
    rmSync(dataDir, { recursive: true });
    process.exit(0);
  });
});
