// What a wallet's window asks for right now, word for word, and the way to stop waiting for it.

import { Address } from "../components/address.tsx";
import { Button } from "../components/button.tsx";
import { InertText } from "../components/inert-text.tsx";
import { Notice } from "../components/notice.tsx";
import { useEnvironment } from "../services/use-environment.ts";
import type { OpenRequest } from "./injected-wallets.ts";
import { useWallets } from "./use-wallets.ts";
import { WalletName } from "./wallet-name.tsx";
import css from "./wallets.module.css";

export function WalletRequests() {
  const { injected } = useEnvironment();
  const { asking, accounts } = useWallets();
  const away = accounts.filter(
    ({ address, usable }) => !usable && asking.some((request) => request.address === address),
  );
  return (
    <>
      {asking.map((request) => (
        <Notice
          key={`${request.address} ${request.text}`}
          kind="info"
          title={titleOf(request)}
          action={
            <Button size="s" onClick={() => injected.giveUp(request.address)}>
              Stop waiting
            </Button>
          }
        >
          <p>
            <WalletName wallet={request.wallet} /> shows this text for <Address value={request.address} />. It
            is a signature over words: no transaction, and it costs nothing.
          </p>
          <SignedText text={request.text} />
        </Notice>
      ))}
      {away.map(({ address, wallet }) => (
        <Notice key={address} kind="warn" title="The wallet stands on another account">
          Switch <WalletName wallet={wallet} /> back to <Address value={address} copy />.
        </Notice>
      ))}
    </>
  );
}

function titleOf({ text }: OpenRequest): string {
  return text.startsWith("Cooperation Protocol entry")
    ? "Your wallet asks you to sign this entry"
    : "Your wallet asks you to sign in to the Hub, once for ten minutes";
}

function SignedText({ text }: { text: string }) {
  return (
    <details className={css.signed}>
      <summary>What is signed, word for word</summary>
      {/* Line by line: a line feed within a line would be drawn as a mark. */}
      <pre tabIndex={0}>
        {text.split("\n").map((line, i) => (
          <div key={i}>{line === "" ? " " : <InertText text={line} />}</div>
        ))}
      </pre>
    </details>
  );
}
