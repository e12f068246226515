// A file that was chosen or dropped, as a text to recognise: read by the one reader, up to what is read of a Hub.

import { readBlob } from "../../platform/read-input.ts";
import { COLLECT_LIMITS } from "../../session/collect-session.ts";
import { recogniseSteps, refuse, type Recognised, type Seen } from "./recognise.ts";
import { defaultPace, runSteps } from "../../platform/time-slices.ts";

const LIMITS = { lines: COLLECT_LIMITS.total + 1, bytes: COLLECT_LIMITS.totalUnits };

/** What is in a file, or why nothing is: a file that is longer than the limit is refused with it. */
export async function recogniseFile(
  file: Blob,
  seen?: Seen,
  onLines?: (lines: number) => void,
): Promise<Recognised> {
  const read = await readBlob(file, LIMITS, onLines);
  if (!read.ok) return refuse(read.why);
  if (read.capped !== null)
    return refuse(
      `It has more than ${read.capped.limit.toLocaleString("en")} ${read.capped.unit}, which is as much as is read of a Hub.`,
    );
  return runSteps(recogniseSteps(read.text, seen), defaultPace);
}
