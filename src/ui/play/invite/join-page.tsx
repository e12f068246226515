// An invitation, opened: what is offered, which key plays, and joining.

import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isAddress, parseRef, type Address as AddressValue, type Ref } from "../../../core/values.ts";
import { findJoined } from "../../../invite/invite-guest.ts";
import { Address } from "../../components/address.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import type { AppEnvironment } from "../../services/environment.ts";
import { useEnvironment } from "../../services/use-environment.ts";
import { to } from "../../routing/routes.ts";
import { BackupOffer } from "../backup-offer.tsx";
import { Joined } from "./joined.tsx";
import { liveOn } from "../live.ts";
import { PeekOffer } from "./peek-offer.tsx";
import css from "../play.module.css";
import { Terms } from "./terms.tsx";
import { Watching } from "../board/watching.tsx";
import { usePlayer, WalletPicker } from "./wallet-picker.tsx";
import { errorText } from "../../../platform/coded-error.ts";

export interface JoinPageProps {
  readonly invite: Ref;
  /** `watch=1`: to look on, whatever keys there are. `as=<address>`: the wallet that is chosen beforehand. */
  readonly params: URLSearchParams;
}

export default function JoinPage({ invite, params }: JoinPageProps) {
  const environment = useEnvironment();
  const host = parseRef(invite)!.wallet;
  const [chosen, setSeat] = useState<AddressValue | "another" | null>(null);
  // Who said yes on the way here, or was here before, is not asked again.
  const before = useQuery(joinedQuery(environment, invite));
  const known = chosen ?? liveOn(environment).joinsAs(invite) ?? before.data ?? null;
  const seat = known === "another" ? null : known;
  const as = params.get("as");
  return (
    <div className={css.page}>
      <section className={css.form}>
        <div>
          <h1>{params.get("watch") === null ? "You are invited" : "Watch a game"}</h1>
          <p className="muted">
            by <Address value={host} copy />
          </p>
        </div>
        {params.get("watch") !== null ? (
          <Watching invite={invite} />
        ) : seat === null ? (
          !before.isPending && <Choosing invite={invite} first={isAddress(as) ? as : null} onJoin={setSeat} />
        ) : (
          <Joined key={seat} invite={invite} seat={seat} onOther={() => setSeat("another")} />
        )}
      </section>
    </div>
  );
}

/** The wallet of this browser that has accepted the invite before; null where none has. */
function joinedQuery({ store }: AppEnvironment, invite: Ref) {
  return queryOptions({
    queryKey: ["joined", invite],
    queryFn: () => findJoined(store, invite).catch(() => null),
  });
}

interface ChoosingProps {
  readonly invite: Ref;
  readonly first: AddressValue | null;
  readonly onJoin: (seat: AddressValue) => void;
}

function Choosing({ invite, first, onJoin }: ChoosingProps) {
  const { player, choose, ready } = usePlayer(first);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const join = async () => {
    setBusy(true);
    try {
      onJoin(await ready());
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
  };
  return (
    <PeekOffer invite={invite}>
      {(offer) => (
        <>
          <Terms offer={offer} />
          <WalletPicker player={player} onChoose={choose} />
          <BackupOffer player={player} />
          {player === parseRef(invite)!.wallet && (
            <Notice
              kind="info"
              title="This is your own invite"
              action={
                <LinkButton size="s" href={to.play(new URLSearchParams({ invite }))}>
                  To its waiting room
                </LinkButton>
              }
            >
              Join with another key, or send the link to somebody.
            </Notice>
          )}
          {problem !== null && <Notice kind="error" title={problem} />}
          <div className={css.row}>
            <Button
              kind="primary"
              size="l"
              icon="play"
              busy={busy}
              disabled={player === parseRef(invite)!.wallet}
              onClick={() => void join()}
            >
              Join
            </Button>
          </div>
        </>
      )}
    </PeekOffer>
  );
}
