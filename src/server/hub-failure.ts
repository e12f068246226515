// What the Hub answers where it does not do what was asked: a status and the `{Type, Message}` body (protocol section 7).

export interface Failure {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  /** Seconds until which the client should wait. */
  readonly retryAfter?: number;
}

export function fail(status: number, type: string, message: string): Failure {
  return { status, type, message };
}
