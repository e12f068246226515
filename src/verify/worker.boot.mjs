// Where a Node worker thread starts: it makes TypeScript loadable in this thread, then rings worker.node.ts.

import { register } from "tsx/esm/api";

register();
await import("./worker.node.ts");
