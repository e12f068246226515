// A Node worker thread's doorbell: a question in, an answer out.

import { parentPort } from "node:worker_threads";
import { createEngine, loadMethods } from "./engine.ts";
import { answer, type Question } from "./worker-protocol.ts";

const engine = loadMethods().then(createEngine);

parentPort!.on("message", (question: Question) => {
  void answer(engine, question).then((found) => parentPort!.postMessage(found));
});
