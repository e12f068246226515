// Entry point of a Web Worker: one response for each request.

import { createEngine, loadMethods } from "./engine.ts";
import { respond, type VerifyRequest } from "./worker-protocol.ts";

const engine = loadMethods().then(createEngine);

self.onmessage = (event: MessageEvent<VerifyRequest>) => {
  void respond(engine, event.data).then((found) => self.postMessage(found));
};
