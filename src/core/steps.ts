// Long computations in steps: a generator that yields wherever something else may have its turn. Pure and synchronous by
// itself; who has a page to keep alive runs it in slices.

/** Steps that end in a T. */
export type Steps<T> = Generator<void, T>;

/** Runs all steps at once. */
export function finish<T>(steps: Iterator<void, T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Items that are sorted or merged in one step; long texts that are told apart are fewer. */
const STEP = 2048;
const TEXTS = 256;

/** Each of the texts once, in the order of their first coming. */
export function* distinctSteps(texts: readonly string[]): Steps<readonly string[]> {
  const seen = new Set<string>();
  for (const [i, text] of texts.entries()) {
    seen.add(text);
    if (i % TEXTS === 0) yield;
  }
  return [...seen];
}

/** A sorted copy, stable like `Array.prototype.sort`: runs of one step each, merged. */
export function* sortSteps<T>(list: Iterable<T>, compare: (a: T, b: T) => number): Steps<T[]> {
  let from = [...list];
  const runs: T[][] = [];
  for (let start = 0; start < from.length; start += STEP) {
    runs.push(from.slice(start, start + STEP).sort(compare));
    yield;
  }
  from = runs.flat();
  let to = from.slice();
  for (let width = STEP; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width)
      yield* mergeSteps(from, to, start, width, compare);
    [from, to] = [to, from];
  }
  return from;
}

/** Merges two neighbouring runs of `width` from one list into the other. */
function* mergeSteps<T>(
  from: readonly T[],
  to: T[],
  start: number,
  width: number,
  compare: (a: T, b: T) => number,
): Steps<void> {
  const middle = Math.min(start + width, from.length);
  const end = Math.min(middle + width, from.length);
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    const takeLeft = left < middle && (right >= end || compare(from[left]!, from[right]!) <= 0);
    to[at] = takeLeft ? from[left++]! : from[right++]!;
    if (at % STEP === STEP - 1) yield;
  }
}
