// A strategy as a small module, for `coop play --strategy src/examples/steady-strategy.ts`: paper against everybody, the first
// option, the reserve. It sees the whole view; keys and salts it never sees.

import type { Strategy } from "../bot/strategy.ts";

const steady: Strategy = ({ view, owed }) => {
  const { game, rules } = view.terms;
  const options = rules["options"];
  const first = Array.isArray(options) ? String(options[0]) : "";
  if (owed.what === "vote") return { kind: "append", type: "vote", body: { choice: first } };
  if (owed.what === "bid") return { kind: "append", type: "pass", body: {} };
  const reserve = typeof rules["reserve"] === "string" ? rules["reserve"] : "0";
  const values: Record<string, string> = { rps: "paper", vote: first, auction: reserve, compare: "7" };
  return { kind: "commit", value: values[game] ?? "" };
};

export default steady;
