// Open invites of others, as the relay announces them: fetched from the Hub and checked before they are shown.

import { useEffect, useState } from "react";
import { openLobby, type OpenInvite } from "../../../invite/lobby.ts";
import { Address } from "../../components/address.tsx";
import { LinkButton } from "../../components/button.tsx";
import { InertText } from "../../components/inert-text.tsx";
import { useEnvironment } from "../../services/use-environment.ts";
import { to } from "../../routing/routes.ts";
import { gameTitle } from "../games.ts";
import css from "./start.module.css";

export function Lobby() {
  const environment = useEnvironment();
  const [invites, setInvites] = useState<readonly OpenInvite[]>([]);
  useEffect(() => {
    const lobby = openLobby(environment);
    lobby.subscribe(() => setInvites(lobby.getSnapshot()));
    return () => lobby.close();
  }, [environment]);
  return (
    <section className={css.lobby}>
      <h2>Open invites</h2>
      {invites.length === 0 ? (
        <p className="faint">
          {environment.channel === null
            ? "The lobby needs a relay, and there is none here."
            : "Nobody waits at the moment. Yours is listed if you mark it as open."}
        </p>
      ) : (
        <ul>
          {invites.map(({ invite, host, offer }) => (
            <li key={invite} data-testid="open-invite">
              <div>
                <span>
                  {gameTitle(offer.game)}
                  {offer.title !== undefined && offer.title !== "" && (
                    <>
                      {": "}
                      <InertText text={offer.title} />
                    </>
                  )}
                </span>
                <span className="muted">
                  by <Address value={host} focusable={false} />
                </span>
              </div>
              <LinkButton icon="right" href={to.join(invite)}>
                Look
              </LinkButton>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
