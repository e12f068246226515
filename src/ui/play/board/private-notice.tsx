// Above the board of a private session: who can read its moves, or why this reader cannot.

import { describeKeyProblem, type KeyProblem } from "../../../peer/domain-keys.ts";
import { Notice } from "../../components/notice.tsx";

export function PrivateNotice({ problem }: { problem: KeyProblem | null }) {
  if (problem === null)
    return (
      <p className="muted" data-testid="private">
        Private: only the players, and whoever gets the link with the key, can read the moves.
      </p>
    );
  return (
    <Notice kind={problem === "no-key" ? "info" : "error"} title="The moves cannot be read here">
      {describeKeyProblem(problem)}
    </Notice>
  );
}
