// Which Hub and relay are used. A change takes hold when the page is loaded anew: what runs keeps the Hub it began with.

import { useState } from "react";
import { Button } from "../components/button.tsx";
import { Field } from "../components/field.tsx";
import { useEnvironment } from "../services/use-environment.ts";
import { urlOf } from "../services/host-config.ts";
import { useStores } from "../services/stores.tsx";
import css from "./settings-page.module.css";

export function HubSettings() {
  const environment = useEnvironment();
  const { preferences } = useStores();
  const [hub, setHub] = useState(preferences.getState().hub);
  const [relay, setRelay] = useState(preferences.getState().relay);
  const here = window.location.href;
  const wrongHub = hub !== "" && urlOf(hub, here, false) === null;
  const wrongRelay = relay !== "" && urlOf(relay, here, true) === null;
  const changed = hub !== preferences.getState().hub || relay !== preferences.getState().relay;
  const save = () => {
    preferences.getState().set({ hub, relay });
    window.location.reload();
  };
  return (
    <div className={css.stack}>
      <p className="muted">
        {environment.embedded
          ? "No server takes part: the Hub is this browser’s own storage, and other tabs of it are reached directly."
          : "In use now: "}
        {!environment.embedded && <code>{environment.hub.name}</code>}
        {environment.relayName !== null && (
          <>
            {" with the relay "}
            <code>{environment.relayName}</code>
          </>
        )}
      </p>
      <Field
        label="Hub"
        help="The address of a Hub, or empty for the one of this page’s host."
        wrong={wrongHub ? "This is no http or https address." : undefined}
      >
        {(ids) => (
          <input
            {...ids}
            value={hub}
            inputMode="url"
            spellCheck={false}
            placeholder="https://…"
            onChange={(e) => setHub(e.target.value.trim())}
          />
        )}
      </Field>
      <Field
        label="Relay"
        help="The address of a relay, or empty for the host’s. Without one everything works by polling."
        wrong={wrongRelay ? "This is no ws or wss address." : undefined}
      >
        {(ids) => (
          <input
            {...ids}
            value={relay}
            inputMode="url"
            spellCheck={false}
            placeholder="wss://…"
            onChange={(e) => setRelay(e.target.value.trim())}
          />
        )}
      </Field>
      <div>
        <Button disabled={!changed || wrongHub || wrongRelay} onClick={save}>
          Save and load anew
        </Button>
      </div>
    </div>
  );
}
