// How the reader is notified of their turn.

import { usePreferences } from "../services/stores.tsx";
import { askToNotify, canNotify, mayNotify } from "../play/page-signals.ts";
import css from "./settings-page.module.css";

export function TurnSettings() {
  const notify = usePreferences((state) => state.notify);
  const sound = usePreferences((state) => state.sound);
  const set = usePreferences((state) => state.set);
  const choose = async (wanted: boolean) => set({ notify: wanted && (await askToNotify()) });
  return (
    <div className={css.checks}>
      <label className={css.check}>
        <input
          type="checkbox"
          checked={notify && mayNotify()}
          disabled={!canNotify()}
          onChange={(event) => void choose(event.target.checked)}
        />
        <span>
          System notification
          <small>
            {canNotify()
              ? "While the page is in the background. The browser asks you first."
              : "This browser does not allow it here."}
          </small>
        </span>
      </label>
      <label className={css.check}>
        <input type="checkbox" checked={sound} onChange={(event) => set({ sound: event.target.checked })} />
        <span>
          Sound
          <small>A short, quiet tone. The page’s title says it in any case.</small>
        </span>
      </label>
    </div>
  );
}
