// The rows of a wallet's log, a virtual table: seq, type, state, link to the one before, and its session.

import { InertText } from "../components/inert-text.tsx";
import cells from "../entry/entry-cells.module.css";
import { Rows } from "../evidence/rows.tsx";
import { to } from "../routing/routes.ts";
import type { LogRow, WalletLog } from "./wallet-log.ts";

const CHAIN: { readonly [chain in LogRow["chain"]]: readonly [word: string, state: string] } = {
  linked: ["linked", "passed"],
  start: ["first", "passed"],
  gap: ["gap before it", "pending"],
  broken: ["wrong link", "failed"],
  fork: ["fork", "failed"],
  none: ["–", ""],
};

export function LogTable({ log }: { log: WalletLog }) {
  return (
    <Rows
      label="Entries of this wallet"
      count={log.rows.length}
      columns={["Seq", "Type", "State", "Chain", "Hash", "Session"]}
      tracks="64px minmax(80px,1fr) 90px 100px minmax(100px,1fr) minmax(90px,1fr)"
      cells={(i) => {
        const { candidate, state, chain, session } = log.rows[i]!;
        const [word, look] = CHAIN[chain];
        return [
          <span key="seq" className="num">
            {candidate?.seq ?? "–"}
          </span>,
          <InertText key="type" text={candidate?.type ?? "–"} wrap={false} />,
          <span key="state" className={cells.state} data-state={lookOf(state.state)}>
            {state.state === "rejected" ? state.rejection.code : WORDS[state.state]}
          </span>,
          <span key="chain" className={cells.state} data-state={look}>
            {word}
          </span>,
          <span key="hash" className="mono faint" title={candidate?.hash}>
            {candidate?.hash.slice(2, 14) ?? "–"}
          </span>,
          session !== null && candidate !== null ? (
            <a key="session" href={to.session(session, new URLSearchParams({ entry: candidate.ref }))}>
              open
            </a>
          ) : (
            <span key="session" className="faint">
              {candidate === null ? "–" : candidate.refs.length === 0 ? "none" : "not known"}
            </span>
          ),
        ];
      }}
    />
  );
}

const WORDS = { verified: "verified", covered: "covered", unchecked: "not checked" };

function lookOf(state: string): string {
  return state === "verified" ? "passed" : state === "rejected" ? "failed" : "pending";
}
