// Errors with a closed set of codes, which keep the error that caused them, and the text of anything that was thrown.

/** Base of the errors that a port or a service rejects with. Subclasses name themselves and their codes. */
export abstract class CodedError<Code extends string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What a person reads of a thrown value: an error's message, and anything else as text. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
