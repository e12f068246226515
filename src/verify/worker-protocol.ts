// What crosses between a pool and its workers, typed on both sides. A request gets exactly one response, with a finding
// for every record asked about.

import type { Engine } from "./engine.ts";
import { allUnchecked, findAll, type Task } from "./findings.ts";
import { packFindings, type PackedFindings } from "./packed-findings.ts";

export interface VerifyRequest {
  readonly id: number;
  readonly task: Task;
  readonly wires: readonly string[];
}

export interface VerifyResponse {
  readonly id: number;
  readonly findings: PackedFindings;
}

/** A worker as the pool sees it. After a failure it is never used again. */
export interface WorkerHandle {
  post(request: VerifyRequest): void;
  /** Called once by the pool, before the first request. */
  listen(onAnswer: (answer: VerifyResponse) => void, onFailure: (why: string) => void): void;
  terminate(): void;
}

/** Responds to a request by an engine; an engine that does not load leaves all records unchecked. */
export async function respond(engine: Promise<Engine>, request: VerifyRequest): Promise<VerifyResponse> {
  const { id, task, wires } = request;
  try {
    return { id, findings: packFindings(findAll(await engine, task, wires)) };
  } catch (error) {
    return { id, findings: packFindings(allUnchecked(wires.length, `no engine: ${String(error)}`)) };
  }
}
