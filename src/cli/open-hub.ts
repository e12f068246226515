// The Hub by URL: which one was asked for, its client, and where its relay is.

import { systemHubEnvironment } from "../hub/hub-environment.ts";
import { HubError } from "../hub/hub-error.ts";
import { HttpHub } from "../hub/hub.http.ts";
import { errorText } from "../platform/coded-error.ts";
import { Unusable } from "./console.ts";

export const DEFAULT_HUB = "http://127.0.0.1:8787";

/** @throws Unusable where the text is no http(s) URL */
export function openHub(url: string): HttpHub {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Unusable(`--hub ${url}: not an http or https URL`);
  try {
    return new HttpHub(url.replace(/\/+$/, ""), systemHubEnvironment());
  } catch (error) {
    throw new Unusable(`--hub ${url}: ${errorText(error)}`);
  }
}

/** @throws Unusable where something else answers at its URL; a Hub that cannot be reached now may be one later */
export async function checkIsHub(hub: HttpHub): Promise<void> {
  try {
    await hub.ping();
  } catch (error) {
    if (error instanceof HubError && error.code === "not-a-hub")
      throw new Unusable(`--hub ${hub.name}: ${error.message}. Give the URL of a Hub.`);
  }
}

/** The Hub that was asked for: by the flag, by COOP_HUB in the environment, else the one that `serve` starts. */
export function hubUrl(flag: string | undefined): string {
  return flag ?? (process.env["COOP_HUB"] || DEFAULT_HUB);
}

/** The URL of the relay that a Hub served by `coop serve` has. */
export function relayOf(hub: string): string {
  return new URL("relay", `${hub.replace(/\/+$/, "")}/`).href;
}
