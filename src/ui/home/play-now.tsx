// A game against the bot at once: with the first key of this browser, or a throw-away one that is made now. No form.

import { useQueryClient } from "@tanstack/react-query";
import { Button } from "../components/button.tsx";
import { Notice } from "../components/notice.tsx";
import { begin } from "../play/start/begin.ts";
import { DEFAULT_FORM, withGame } from "../play/start/form.ts";
import { useAttempt } from "../play/use-attempt.ts";
import { useGetEnvironment } from "../services/use-environment.ts";
import { addKey, keysQuery } from "../services/vault-keys.ts";

export function PlayNow() {
  const open = useGetEnvironment();
  const client = useQueryClient();
  const { going, problem, attempt } = useAttempt();
  const play = async () => {
    const environment = await open();
    const [key = await addKey(environment)] = await environment.vault.list();
    await client.invalidateQueries({ queryKey: keysQuery(environment.vault).queryKey });
    await begin(environment, { ...withGame(DEFAULT_FORM, "rps"), with: "bot" }, key.address);
  };
  return (
    <>
      <Button kind="primary" size="l" icon="play" busy={going} onClick={() => void attempt(play)}>
        Play now
      </Button>
      {problem !== null && (
        <Notice kind="error" title="The game could not be started">
          {problem}
        </Notice>
      )}
    </>
  );
}
