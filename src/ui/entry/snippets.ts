// An entry's checks as something to run elsewhere: a command, a TypeScript file, a Python script. Each carries the
// exact bytes, needs no Hub, and fails as loudly as the check in the app does. Pure; a test runs every one of them.

import { PYTHON_SCRIPT } from "./python-script.ts";

export interface SnippetInput {
  /** The record's exact text. */
  readonly wire: string;
  /** What its hash should be, where an entry is expected (the one its ref names). */
  readonly hash?: string | undefined;
  /** The exact text of the author's entry before it, if it is at hand: the chain is checked against it. */
  readonly previous?: string | undefined;
}

export const SNIPPET_KINDS = ["cli", "typescript", "python"] as const;
export type SnippetKind = (typeof SNIPPET_KINDS)[number];

export interface Snippet {
  readonly kind: SnippetKind;
  readonly title: string;
  /** Where to run it. */
  readonly hint: string;
  readonly text: string;
}

export function snippetsOf(input: SnippetInput): readonly Snippet[] {
  return [
    {
      kind: "cli",
      title: "Command line",
      hint: "in a checkout of this project, any shell of the Bourne family",
      text: cliSnippet(input),
    },
    {
      kind: "typescript",
      title: "TypeScript",
      hint: "save as check-entry.ts in a checkout of this project",
      text: typescriptSnippet(input),
    },
    {
      kind: "python",
      title: "Python",
      hint: "Python 3.8 or newer, nothing else",
      text: pythonSnippet(input),
    },
  ];
}

/** The record by standard input, so that neither its length nor its content can become part of the command. */
export function cliSnippet({ wire }: SnippetInput): string {
  return `printf '%s' ${shellText(wire)} | npm run --silent coop -- inspect -\n`;
}

export function typescriptSnippet({ wire, hash, previous }: SnippetInput): string {
  const lines = [
    "// Run: node --import tsx check-entry.ts",
    'import { acceptCandidate, parseCandidate } from "./src/core/entry.ts";',
    'import { checkPlain } from "./src/core/signature.ts";',
    "",
    `const wire = ${scriptText(wire)};`,
    ...(hash === undefined ? [] : [`const expectedHash = ${scriptText(hash)};`]),
    ...(previous === undefined ? [] : [`const previousWire = ${scriptText(previous)};`]),
    "",
    "const parsed = parseCandidate(wire);",
    "const accepted = parsed.ok ? acceptCandidate(parsed.value, checkPlain) : parsed;",
    "let failed = false;",
    "const say = (name: string, passed: boolean, found: string) => {",
    '  console.log(`${name}: ${passed ? "ok" : "FAILED"} ${found}`);',
    "  if (!passed) failed = true;",
    "};",
    'if (!accepted.ok) say("entry", false, JSON.stringify(accepted.error));',
    "else {",
    "  const entry = accepted.value;",
    '  say("canonical", true, `${wire.length} characters`);',
    hash === undefined
      ? '  say("hash", true, entry.hash);'
      : '  say("hash", entry.hash === expectedHash, entry.hash);',
    '  say("signature", true, entry.wallet);',
    ...(previous === undefined
      ? []
      : [
          "  const before = parseCandidate(previousWire);",
          "  const link = before.ok ? before.value.hash : before.error.code;",
          '  say("chain", entry.prev_hash === link, link);',
        ]),
    "}",
    "process.exit(failed ? 1 : 0);",
  ];
  return `${lines.join("\n")}\n`;
}

export function pythonSnippet({ wire, hash, previous }: SnippetInput): string {
  const none = (text: string | undefined) => (text === undefined ? "None" : scriptText(text));
  return [
    "#!/usr/bin/env python3",
    "# Checks one entry of the Cooperation Protocol with the standard library alone: canonical form (RFC 8785), hash,",
    "# chain link, and the signature by recovering its signer (EIP-191, secp256k1). Exit code 0: every check passed.",
    `WIRE = ${scriptText(wire)}`,
    `EXPECTED_HASH = ${none(hash)}`,
    `PREVIOUS = ${none(previous)}`,
    "",
    PYTHON_SCRIPT,
  ].join("\n");
}

/**
 * A string literal that JavaScript, TypeScript and Python read alike: ASCII only, so that no terminal, editor or
 * clipboard can change it or be reordered by it. What lies beyond the first plane is a pair of escapes in JavaScript;
 * Python's script joins such pairs again.
 */
function scriptText(text: string): string {
  let literal = '"';
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const character = text[i]!;
    if (character === '"' || character === "\\") literal += `\\${character}`;
    else if (unit >= 0x20 && unit < 0x7f) literal += character;
    else literal += `\\u${unit.toString(16).padStart(4, "0")}`;
  }
  return `${literal}"`;
}

/** One word of a POSIX shell: nothing inside single quotes means anything. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
