import { describeVerifier } from "./verifier.contract.ts";
import { plainMethods } from "./engine.ts";
import { createInlineVerifier } from "./verifier.inline.ts";

describeVerifier("inline", () => createInlineVerifier());
describeVerifier("inline, in plain JavaScript", () => createInlineVerifier({ methods: plainMethods }));
