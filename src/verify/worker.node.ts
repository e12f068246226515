// Entry point of a Node worker thread: one response for each request.

import { parentPort } from "node:worker_threads";
import { createEngine, loadMethods } from "./engine.ts";
import { respond, type VerifyRequest } from "./worker-protocol.ts";

const engine = loadMethods().then(createEngine);

parentPort!.on("message", (request: VerifyRequest) => {
  void respond(engine, request).then((found) => parentPort!.postMessage(found));
});
