// A fork: two entries that one wallet signed for one position of its log. Both together are the proof, and need no Hub.

import { FORK_EXTENSION, writeForkProof } from "../../core/fork-proof.ts";
import type { Address } from "../../core/values.ts";
import type { Fault } from "../../core/view.ts";
import { Button } from "../components/button.tsx";
import { Copy } from "../components/copy.tsx";
import { Icon } from "../components/icon.tsx";
import { saveFile } from "../services/save-file.ts";
import css from "../inspector/inspector.module.css";
import { Sentence } from "../entry/sentence.tsx";
import type { Inspected } from "../inspector/session-model.ts";
import { EntryRef } from "./why-tab.tsx";

export function ForkCard({
  inspected,
  wallet,
  fault,
}: {
  readonly inspected: Inspected;
  readonly wallet: Address;
  readonly fault: Fault;
}) {
  const [a, b] = fault.versions;
  if (a === undefined || b === undefined) return null;
  const proof = () => writeForkProof(a, b);
  return (
    <section className={css.card} data-fork={wallet}>
      <h3>
        <Icon name="fork" />
        <span>
          <Sentence
            say={(nameOf) => `${nameOf(wallet)} forked its log at place ${fault.seq}`}
            participants={inspected.view.participants}
          />
        </span>
      </h3>
      <p>
        It signed {fault.versions.length} different entries for one position. Each signature was checked; both
        together prove the fork to anyone, with no Hub and no other record.
      </p>
      <ul className={css.whyEntries}>
        {fault.versions.map(({ ref }) => (
          <li key={ref}>
            <EntryRef inspected={inspected} to={ref} withHash />
          </li>
        ))}
      </ul>
      <div className={css.row}>
        <Copy text={proof} label="Copy the proof" words kind="plain" />
        <Button
          size="s"
          icon="download"
          onClick={() => saveFile(`fork-${wallet.slice(2, 10)}-${fault.seq}${FORK_EXTENSION}`, proof())}
        >
          Download the proof
        </Button>
        <span className="faint">
          check it with <code>coop audit --fork FILE</code>
        </span>
      </div>
    </section>
  );
}
