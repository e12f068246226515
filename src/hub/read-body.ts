// Reads the body of an answer up to a cap, whatever its headers promise.

import { HubError } from "./hub-error.ts";

/** The whole body. @throws HubError `capped` where it is longer than `cap` bytes; the rest is not fetched */
export async function readCapped(response: Response, cap: number): Promise<Uint8Array> {
  const said = Number(response.headers.get("content-length") ?? "0");
  if (said > cap) {
    await response.body?.cancel();
    throw tooLong(cap, `${said} bytes`);
  }
  if (response.body === null) return new Uint8Array();
  const reader = response.body.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > cap) {
      await reader.cancel();
      throw tooLong(cap, "more");
    }
    parts.push(value);
  }
  if (parts.length === 1) return parts[0]!;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function tooLong(cap: number, found: string): HubError {
  return new HubError("capped", `the answer was not read to its end: at most ${cap} bytes, found ${found}`);
}
