// One wallet's whole log and its sessions.

import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { checksumAddress, type Address } from "../../core/values.ts";
import { plural } from "../../games/describe.ts";
import { AddressMark } from "../components/address-mark.tsx";
import { Button } from "../components/button.tsx";
import { Copy } from "../components/copy.tsx";
import { InertText } from "../components/inert-text.tsx";
import { Notice } from "../components/notice.tsx";
import { Progress } from "../components/progress.tsx";
import { useEnvironment } from "../services/use-environment.ts";
import { to } from "../routing/routes.ts";
import { LogTable } from "./log-table.tsx";
import type { LogSession } from "./wallet-log.ts";
import css from "./wallet-page.module.css";
import { walletQuery, type WalletReading } from "./wallet-query.ts";

export default function WalletPage({ address }: { address: Address }) {
  return (
    <div className={css.page}>
      <header className={css.header}>
        <AddressMark address={address} size={36} />
        <div>
          <p className={css.kicker}>Wallet</p>
          <h1 className="mono">
            {checksumAddress(address)}
            <Copy text={checksumAddress(address)} label="Copy address" />
          </h1>
        </div>
      </header>
      <Suspense fallback={<Reading />}>
        <Log key={address} address={address} />
      </Suspense>
    </div>
  );
}

function Reading() {
  return (
    <div className={css.waiting}>
      <Progress label="Reading and checking the log" />
    </div>
  );
}

function Log({ address }: { address: Address }) {
  const environment = useEnvironment();
  const { data, isError, isFetching, refetch } = useQuery(walletQuery(environment, address));
  const again = (
    <Button icon="refresh" busy={isFetching} onClick={() => void refetch()}>
      Read again
    </Button>
  );
  if (isError)
    return (
      <Notice large kind="offline" title="The log can’t be read" action={again}>
        The Hub did not answer.
      </Notice>
    );
  if (data === undefined) return <Reading />;
  const failed = data.notes.find((note) => note.kind === "failed");
  if (data.log.rows.length === 0)
    return (
      <Notice
        large
        kind={failed === undefined ? "empty" : "offline"}
        title={failed === undefined ? "No entries" : "The Hub does not answer"}
        action={again}
      >
        {failed === undefined
          ? `${data.hub} has no entry of this wallet. Another Hub may have some.`
          : failed.error.message}
      </Notice>
    );
  return (
    <>
      <Facts reading={data} />
      {data.notes.length > 0 && (
        <Notice kind="warn" title="The Hub did not serve all of it">
          {`${plural(data.notes.length, "remark", "remarks")}: ${[...new Set(data.notes.map(({ kind }) => kind))].join(", ")}.`}
        </Notice>
      )}
      <Sessions sessions={data.log.sessions} />
      <section>
        <h2>Log</h2>
        <LogTable log={data.log} />
      </section>
      <p>{again}</p>
    </>
  );
}

function Facts({ reading: { log, report, hub } }: { reading: WalletReading }) {
  const { verified, rejected, unchecked, covered } = report.counts;
  const whole = log.gaps === 0 && log.forks === 0 && log.rows[0]?.candidate?.seq === 0;
  return (
    <ul className={css.facts}>
      <li className="num">{plural(log.rows.length, "record", "records")}</li>
      <li className={css.pass}>{verified.toLocaleString("en")} verified</li>
      {rejected > 0 && <li className={css.fail}>{rejected.toLocaleString("en")} failed</li>}
      {unchecked + covered > 0 && (
        <li className={css.wait}>{(unchecked + covered).toLocaleString("en")} not checked</li>
      )}
      <li className={whole ? css.pass : css.fail}>
        {whole
          ? "unbroken from its first entry"
          : [
              ...(log.forks > 0 ? [plural(log.forks, "fork", "forks")] : []),
              ...(log.gaps > 0 ? [plural(log.gaps, "gap", "gaps")] : []),
            ].join(", ") || "its first entries are missing"}
      </li>
      <li className="faint">
        from <InertText text={hub} />
      </li>
    </ul>
  );
}

function Sessions({ sessions }: { sessions: readonly LogSession[] }) {
  if (sessions.length === 0) return null;
  return (
    <section>
      <h2>Sessions</h2>
      <ul className={css.sessions}>
        {sessions.map(({ session, game, title, entries, first, last }) => (
          <li key={session}>
            <a href={to.session(session)}>
              <InertText text={title === "" ? game : title} />
            </a>
            <span className="faint num">
              <InertText text={game} />, {plural(entries, "entry", "entries")}
              {first === last ? ` at seq ${first}` : `, seq ${first} to ${last}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
