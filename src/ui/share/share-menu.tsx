// The button that opens the sharing dialog. The dialog is fetched once the verdict is there, before it is asked for: by
// then the network may be gone.

import { lazy, Suspense, useEffect, useState } from "react";
import { Button } from "../components/button.tsx";
import type { Inspected } from "../inspector/session-model.ts";

const load = () => import("./share-dialog.tsx");
const ShareDialog = lazy(load);

export function ShareMenu({ inspected }: { inspected: Inspected }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    load().catch(() => undefined); // it is asked for again when it is needed
  }, []);
  return (
    <>
      <Button kind="primary" size="s" icon="share" onClick={() => setOpen(true)}>
        Share
      </Button>
      {open && (
        <Suspense fallback={null}>
          <ShareDialog inspected={inspected} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
