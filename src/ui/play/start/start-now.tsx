// Beginning with fewer than were asked for.

import type { Host } from "../../../invite/invite.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import css from "../play.module.css";
import { useAttempt } from "../use-attempt.ts";

/** Beginning with fewer than were asked for: the entries are shared among those who are there. */
export function StartNow({ host, here, of }: { host: Host; here: number; of: number }) {
  const { going, problem, attempt } = useAttempt();
  return (
    <>
      <div className={css.row}>
        <Button icon="play" busy={going} onClick={() => void attempt(() => host.start())}>
          Begin with {here} of {of}
        </Button>
      </div>
      {problem !== null && (
        <Notice kind="error" title="It cannot begin like this">
          {problem}
        </Notice>
      )}
    </>
  );
}
