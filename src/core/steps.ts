// Long computations in steps: a generator that yields wherever something else may have its turn. Pure and synchronous by
// itself; who has a page to keep alive runs it in slices.

/** Runs all steps at once. */
export function finish<T>(steps: Iterator<void, T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}
