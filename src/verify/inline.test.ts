import { describeVerifier } from "./contract.ts";
import { plainMethods } from "./engine.ts";
import { createInlineVerifier } from "./inline.ts";

describeVerifier("inline", () => createInlineVerifier());
describeVerifier("inline, in plain JavaScript", () => createInlineVerifier({ methods: plainMethods }));
