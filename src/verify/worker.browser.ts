// A Web Worker's doorbell: a question in, an answer out.

import { createEngine, loadMethods } from "./engine.ts";
import { answer, type Question } from "./worker-protocol.ts";

const engine = loadMethods().then(createEngine);

self.onmessage = (event: MessageEvent<Question>) => {
  void answer(engine, event.data).then((found) => self.postMessage(found));
};
