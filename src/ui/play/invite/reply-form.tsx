// Takes the reply link of somebody who joined while no relay could tell.

import { useState, type FormEvent } from "react";
import type { Ref } from "../../../core/values.ts";
import { readReply } from "../../../invite/invite-links.ts";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import css from "../play.module.css";

export function ReplyForm({ take }: { take: (accept: Ref) => Promise<boolean> }) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState<string | undefined>(undefined);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const ref = readReply(text);
    if (ref === undefined)
      return setWrong("This is no reply: it should be the link or the ref that the other was shown.");
    setWrong(
      (await take(ref))
        ? undefined
        : "The entry that it names does not accept this invite, or cannot be read yet.",
    );
  };
  return (
    <details className={css.more}>
      <summary>They joined and nothing happens?</summary>
      <form className={css.moreInside} onSubmit={(event) => void send(event)}>
        <Field label="Their reply" help="They are shown a reply to send back to you." wrong={wrong}>
          {(ids) => (
            <input {...ids} spellCheck={false} value={text} onChange={(e) => setText(e.target.value)} />
          )}
        </Field>
        <div>
          <Button type="submit">Take the reply</Button>
        </div>
      </form>
    </details>
  );
}
