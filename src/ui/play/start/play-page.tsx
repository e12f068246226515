// Starting a game: the form, or, once the invite is signed, the room where one waits for the other.

import { isRef } from "../../../core/values.ts";
import { Notice } from "../../components/notice.tsx";
import { LinkButton } from "../../components/button.tsx";
import { to } from "../../routing/routes.ts";
import { isGameName } from "../games.ts";
import css from "../play.module.css";
import { Lobby } from "./lobby.tsx";
import { StartForm } from "./start-form.tsx";
import { WaitingRoom } from "../invite/waiting-room.tsx";

export default function PlayPage({ params }: { params: URLSearchParams }) {
  const invite = params.get("invite");
  const game = params.get("game");
  const accept = params.get("accept");
  if (invite !== null && !isRef(invite))
    return (
      <Notice
        large
        kind="warn"
        title="This link names no invite"
        action={<LinkButton href={to.play()}>Start anew</LinkButton>}
      />
    );
  return (
    <div className={css.page}>
      {invite === null ? (
        <>
          <StartForm bot={params.get("bot") !== null} game={isGameName(game) ? game : "rps"} />
          <Lobby />
        </>
      ) : (
        <WaitingRoom
          invite={invite}
          bot={params.get("bot") !== null}
          lobby={params.get("lobby") !== null}
          accept={isRef(accept) ? accept : null}
        />
      )}
    </div>
  );
}
