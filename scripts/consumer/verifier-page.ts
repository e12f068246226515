// What a page needs to verify a bundle: its size, bundled for a browser, is what the package's check prints.

import { readBundle } from "coop-explorer/core";
import { auditRecords, createBrowserVerifier } from "coop-explorer/verify";

/** The outcome of a bundle's text, or why there is none. */
export async function outcomeOf(text: string): Promise<string> {
  const bundle = readBundle(text);
  if (!bundle.ok) return bundle.code;
  const verifier = await createBrowserVerifier();
  const { verdict } = await auditRecords(bundle.records, bundle.session, verifier);
  verifier.close();
  return verdict?.ok === true ? (verdict.outcome?.kind ?? "open") : "no verdict";
}
