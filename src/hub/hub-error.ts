// What can go wrong with a Hub. Every failure of a Hub is a HubError that keeps its cause; HTTP statuses are
// translated here and nowhere else.

import { CodedError } from "../platform/coded-error.ts";

export type HubErrorCode =
  /** Nobody answered: no network, no such host, a refused or broken connection. */
  | "offline"
  /** No answer in time. */
  | "timeout"
  /** The caller gave up. */
  | "aborted"
  /** The sign-in was refused. */
  | "unauthorized"
  /** The sign-in was refused because the clocks differ by more than the Hub allows. */
  | "clock-skew"
  /** The wallet did not sign the sign-in; the cause is the wallet's error. */
  | "not-signed"
  | "forbidden"
  | "not-found"
  | "conflict"
  | "too-large"
  /** The Hub, or this client before asking, does not take such a key, value or name. */
  | "bad-request"
  | "rate-limited"
  | "read-only"
  /** The Hub failed inside (5xx). */
  | "server"
  /** The answer is not of the form that the interface promises. */
  | "bad-answer"
  /** Something answers at this URL, but not like a Hub: a file server, a start page, a redirect. */
  | "not-a-hub"
  /** The answer was longer than this client reads. */
  | "capped"
  /** This browser or process has nowhere to store. */
  | "no-storage"
  /** There is no room left. */
  | "storage-full";

export interface HubErrorDetails {
  readonly cause?: unknown;
  readonly status?: number;
  /** Seconds after which the Hub asks to try again. */
  readonly retryAfter?: number;
}

/** A Hub did not do what it was asked. */
export class HubError extends CodedError<HubErrorCode> {
  override readonly name = "HubError";
  readonly status: number | undefined;
  /** Seconds after which the Hub asks to try again, where it said so. */
  readonly retryAfter: number | undefined;
  constructor(code: HubErrorCode, message: string, details: HubErrorDetails = {}) {
    super(code, message, "cause" in details ? { cause: details.cause } : undefined);
    this.status = details.status;
    this.retryAfter = details.retryAfter;
  }
}

/** Whether the same request may succeed later without anybody changing anything. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof HubError)) return false;
  return ["offline", "timeout", "rate-limited", "server"].includes(error.code);
}

/** Whether the Hub has refused for good: the same request will be refused again until somebody changes something. */
export function isRefusal(error: unknown): error is HubError {
  if (!(error instanceof HubError)) return false;
  return ["bad-request", "forbidden", "too-large", "storage-full", "not-a-hub"].includes(error.code);
}

/** What a Hub's answer says besides its status. */
export interface FailedAnswer {
  readonly status: number;
  /** `Message` of the error body, or what could be read instead. */
  readonly message: string;
  /** Value of the header Retry-After (RFC 9110, 10.2.3): seconds or a date. */
  readonly retryAfter: string | null;
  /** Value of the header Date, where it may be read. */
  readonly date: string | null;
  readonly writing: boolean;
  /** The body was the interface's `{Type, Message}`. */
  readonly inForm: boolean;
}

/** Clocks further apart than this (seconds) explain a refused sign-in. */
const SKEW_SECONDS = 540;

/** The one place that translates HTTP statuses. `now` is this client's clock in milliseconds. */
export function fromStatus(answer: FailedAnswer, now: number): HubError {
  const { status, message } = answer;
  const retryAfter = secondsOf(answer.retryAfter, now);
  const details = { status, ...(retryAfter !== undefined && { retryAfter }) };
  const says = message === "" ? `status ${status}` : `status ${status}: ${message}`;
  switch (status) {
    case 400:
      return new HubError("bad-request", `the Hub refused the request (${says})`, details);
    case 401:
      return refusedSignIn(answer, now, says);
    case 403:
      return new HubError("forbidden", `that place belongs to another owner (${says})`, details);
    case 404:
      // A plain file server has no error body: its 404 says nothing about entries.
      if (!answer.inForm) return notAHub("404 without the error body of a Hub", details);
      return new HubError("not-found", `the Hub has no such thing (${says})`, details);
    case 409:
      return new HubError("conflict", `the Hub already has something else there (${says})`, details);
    case 413:
      return new HubError("too-large", `the Hub takes no value of that size (${says})`, details);
    case 507:
      return new HubError("storage-full", `the Hub has no room for this (${says})`, details);
    case 429:
      return new HubError("rate-limited", `the Hub asks to go slower (${says})`, details);
    case 503:
      if (answer.writing && retryAfter === undefined)
        return new HubError("read-only", `the Hub takes no writes now (${says})`, details);
  }
  if (status >= 500) return new HubError("server", `the Hub failed (${says})`, details);
  return new HubError("bad-answer", `the Hub answered with an unknown status (${says})`, details);
}

/** The error for an answer that no Hub gives. @param found what came, for a person */
export function notAHub(found: string, details: HubErrorDetails = {}): HubError {
  return new HubError("not-a-hub", `this URL answers, but not like a Hub: ${found}`, details);
}

function refusedSignIn(answer: FailedAnswer, now: number, says: string): HubError {
  const theirs = answer.date === null ? Number.NaN : Date.parse(answer.date);
  const apart = Math.round(Math.abs(theirs - now) / 1000);
  const details = { status: answer.status };
  if (apart > SKEW_SECONDS)
    return new HubError(
      "clock-skew",
      `check your clock: it and the Hub's are ${apart} seconds apart (${says})`,
      details,
    );
  if (/clock|expired|too old|in the future|time/i.test(answer.message))
    return new HubError(
      "clock-skew",
      `check your clock: the Hub found the sign-in out of time (${says})`,
      details,
    );
  return new HubError("unauthorized", `the Hub refused the sign-in (${says})`, details);
}

function secondsOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^[0-9]{1,9}$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}
