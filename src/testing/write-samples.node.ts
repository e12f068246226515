// Writes public/samples anew: node --import tsx src/testing/write-samples.node.ts
// Run by hand when a sample is added; a test compares what is there with what this would write.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeSamples } from "./samples.ts";

const FOLDER = join("public", "samples");

mkdirSync(FOLDER, { recursive: true });
const samples = makeSamples();
for (const { entry, bundle } of samples) writeFileSync(join(FOLDER, entry.file), bundle);
const index = samples.map(({ entry }) => entry);
writeFileSync(join(FOLDER, "index.json"), `${JSON.stringify(index, null, 2)}\n`);
console.log(`${samples.length} samples in ${FOLDER}`);
