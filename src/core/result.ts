// The result of what may fail: a value, or an error that is data. The one type for it: callers write `if (!result.ok)`.

export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}

export interface Failure<E> {
  readonly ok: false;
  readonly error: E;
}

export type Result<T, E> = Ok<T> | Failure<E>;

export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

export function fail<E>(error: E): Failure<E> {
  return { ok: false, error };
}
