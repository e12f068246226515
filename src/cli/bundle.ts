// `coop bundle`: one file that carries a session and verifies with the network off.

import { writeFile } from "node:fs/promises";
import { writeBundle } from "../core/bundle.ts";
import { readArguments } from "./arguments.ts";
import { EXIT, Unusable, type SafeConsole, type ExitCode } from "./console.ts";
import { describeNote } from "../session/conclude-audit.ts";
import { readSource, shown } from "./source.ts";

export const BUNDLE_HELP = `coop bundle <session id | link> [--hub URL] [--out FILE]

Writes a bundle (.coop.jsonl) of the session to FILE, or to standard output
where that is a pipe or a file: a terminal would obey what strangers wrote.
  --hub URL   read from there (default: the link's own, COOP_HUB, http://127.0.0.1:8787)
Exit: 0 written, 2 written but something could not be read, 3 unusable input.`;

export async function bundle(args: readonly string[], console: SafeConsole): Promise<ExitCode> {
  const given = readArguments(args, { values: ["hub", "out"] }, 1);
  const [input] = given.positionals;
  if (input === undefined) throw new Unusable("bundle what? Give a session id or a link.");
  const out = given.value("out");
  if (out === undefined && console.isTerminal === true)
    throw new Unusable("a bundle holds what others wrote, byte by byte: give --out FILE, or a pipe");
  const source = await readSource(input, given.value("hub"), console);
  if (source.records.length === 0)
    throw new Unusable(`${shown(input)}: no Hub asked has anything of this session`);
  const text = writeBundle(source.session, source.records);
  if (out === undefined) console.exact(text.trimEnd());
  else {
    await writeFile(out, text).catch((error: unknown) => {
      throw new Unusable(
        `--out ${shown(out)}: cannot be written (${(error as NodeJS.ErrnoException).code ?? "error"})`,
      );
    });
    console.note(`${source.records.length} records in ${out}`);
  }
  const gaps = source.notes.filter(({ kind }) => kind !== "repeated" && kind !== "foreign");
  for (const note of gaps) console.note(`note: ${describeNote(note)}`);
  return gaps.some(({ kind }) => kind === "failed" || kind === "capped") ? EXIT.open : EXIT.ok;
}
