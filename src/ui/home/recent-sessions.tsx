// What this browser opened or played lately.

import { parseRef } from "../../core/values.ts";
import { AddressMark } from "../components/address-mark.tsx";
import { Button } from "../components/button.tsx";
import { InertText } from "../components/inert-text.tsx";
import { to } from "../routing/routes.ts";
import { titleOfRecent } from "../names/format-recent.ts";
import { useFormatRecent } from "../names/use-format-recent.ts";
import { useRecent } from "../services/stores.tsx";
import css from "./home-page.module.css";

export function RecentSessions() {
  const sessions = useRecent((state) => state.sessions);
  const format = useFormatRecent();
  const forget = useRecent((state) => state.forget);
  return (
    <section>
      <div className={css.headed}>
        <h2 className={css.heading}>Recent</h2>
        {sessions.length > 0 && (
          <Button kind="quiet" size="s" onClick={forget}>
            Clear
          </Button>
        )}
      </div>
      {sessions.length === 0 && (
        <p className="faint">Sessions that you open or play are listed here, in this browser only.</p>
      )}
      <ul className={css.list}>
        {sessions.map((session) => (
          <li key={session.session}>
            <a
              className={css.item}
              href={session.played ? to.board(session.session) : to.session(session.session)}
            >
              <span className={css.title}>
                <AddressMark address={parseRef(session.session)!.wallet} />
                <InertText text={titleOfRecent(session)} wrap={false} />
              </span>
              <span className={css.says}>
                <InertText text={format(session)} wrap={false} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
