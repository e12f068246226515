// A project that installed the package verifies a bundle: prints the outcome and how many records were verified.

import { readFile } from "node:fs/promises";
import { checksumAddress, type Address } from "coop-explorer/core";
import { describeVerdict, type Verdict } from "coop-explorer/games";
import { createNodePoolVerifier } from "coop-explorer/node";
import { auditRecords, createInlineVerifier } from "coop-explorer/verify";
import { readBundle } from "coop-explorer/core";

const path = process.argv[2];
if (path === undefined) throw new Error("which bundle?");
const bundle = readBundle(await readFile(path, "utf8"));
if (!bundle.ok) throw new Error(`no bundle: ${bundle.code}`);

// On this thread, then in worker threads: the same verdict.
const verdicts: Verdict[] = [];
for (const verifier of [createInlineVerifier(), createNodePoolVerifier({ size: 1 })]) {
  const { verdict, report } = await auditRecords(bundle.records, bundle.session, verifier);
  verifier.close();
  if (verdict === null) throw new Error("no verdict");
  if (report.counts.verified !== bundle.records.length) throw new Error(JSON.stringify(report.counts));
  verdicts.push(verdict);
}
const [one, other] = verdicts.map((verdict) => (verdict.ok ? verdict.digest : verdict.code));
if (one !== other) throw new Error(`two verdicts: ${one} and ${other}`);
const nameOf = (wallet: Address): string => checksumAddress(wallet);
console.log(`${bundle.records.length} records verified: ${describeVerdict(verdicts[0]!, nameOf)}`);
