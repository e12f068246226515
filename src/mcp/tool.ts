// What a tool is: a name, what it takes, and an answer in sentences and as data. Input is checked by its schema; what is
// wrong with it is an answer that says so, never a fault.

import { z } from "zod";
import type { JsonObject } from "../core/canonical.ts";
import { CodedError, errorText } from "../platform/coded-error.ts";
import { markedText } from "../platform/inert.ts";
import { Refusal } from "./refusal.ts";

export interface ToolAnswer {
  readonly sentences: readonly string[];
  readonly data: JsonObject;
  readonly isError?: boolean;
  /** A file's content, where it is short enough to be read along. */
  readonly attachment?: { readonly uri: string; readonly mimeType: string; readonly text: string };
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** It signs nothing and writes no file. */
  readonly isReadOnly: boolean;
  /** JSON Schema of what it takes now. */
  readonly schema: () => JsonObject;
  readonly run: (input: unknown) => Promise<ToolAnswer>;
}

interface Definition<T extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly isReadOnly?: boolean;
  readonly input: T;
  /** Where it depends on the state of the games. */
  readonly schema?: () => JsonObject;
  readonly run: (input: z.output<T>) => Promise<ToolAnswer>;
}

export function defineTool<T extends z.ZodType>({ input, schema, run, ...rest }: Definition<T>): Tool {
  // The schema describes what a caller writes: members with a default may be left out.
  const json = z.toJSONSchema(input, { io: "input" }) as JsonObject;
  return {
    isReadOnly: false,
    ...rest,
    schema: schema ?? (() => json),
    run: async (raw) => {
      const parsed = input.safeParse(raw);
      if (!parsed.success) return refused(`bad input: ${z.prettifyError(parsed.error)}`);
      try {
        return await run(parsed.data);
      } catch (error) {
        // The codes of Hub, wallet, store and log say what a caller can do; anything else is a fault of our own.
        if (error instanceof Refusal || error instanceof CodedError) return refused(errorText(error));
        throw error;
      }
    },
  };
}

export function refused(why: string, data: JsonObject = {}): ToolAnswer {
  return { sentences: [`Refused: ${markedText(why)}`], data: { ...data, error: why }, isError: true };
}
