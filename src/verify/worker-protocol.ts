// What crosses between a pool and its workers, typed on both sides. A question gets exactly one answer, with a finding
// for every record asked about.

import type { Engine } from "./engine.ts";
import { allUnchecked, findAll, type Task } from "./findings.ts";
import { packFindings, type PackedFindings } from "./packed-findings.ts";

export interface Question {
  readonly id: number;
  readonly task: Task;
  readonly wires: readonly string[];
}

export interface Answer {
  readonly id: number;
  readonly findings: PackedFindings;
}

/** A worker as the pool sees it. After a failure it is never used again. */
export interface WorkerHandle {
  post(question: Question): void;
  /** Called once by the pool, before the first question. */
  listen(onAnswer: (answer: Answer) => void, onFailure: (why: string) => void): void;
  terminate(): void;
}

/** Answers a question by an engine; an engine that does not load leaves all records unchecked. */
export async function answer(engine: Promise<Engine>, question: Question): Promise<Answer> {
  const { id, task, wires } = question;
  try {
    return { id, findings: packFindings(findAll(await engine, task, wires)) };
  } catch (error) {
    return { id, findings: packFindings(allUnchecked(wires.length, `no engine: ${String(error)}`)) };
  }
}
