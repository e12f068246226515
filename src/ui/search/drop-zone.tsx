// The whole page takes a bundle that is dropped on it. A veil says so while a file is over it.

import { useEffect, useState } from "react";
import { Icon } from "../components/icon.tsx";
import { Notice } from "../components/notice.tsx";
import { Dialog } from "../components/dialog.tsx";
import { RefLink } from "../components/ref-link.tsx";
import { InertText } from "../components/inert-text.tsx";
import type { Ref } from "../../core/values.ts";
import { to } from "../routing/routes.ts";
import css from "./drop-zone.module.css";
import { recogniseFile } from "./read-file.ts";
import { useOpen } from "./use-open.ts";

type Outcome = { readonly name: string } & ({ readonly why: string } | { readonly choose: readonly Ref[] });

export function DropZone() {
  const [over, setOver] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const open = useOpen();
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
    const drag = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const take = async (file: File) => {
      const recognised = await recogniseFile(file);
      if (recognised.kind === "refused") return setOutcome({ name: file.name, why: recognised.why });
      if (recognised.kind === "nothing") return setOutcome({ name: file.name, why: "The file is empty." });
      const opened = await open(recognised, file.name);
      if (typeof opened === "object") setOutcome({ name: file.name, choose: opened.choose });
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      void take(file);
    };
    window.addEventListener("dragover", drag);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", drag);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
    };
  }, [open]);
  return (
    <>
      {over && (
        <div className={css.veil}>
          <Icon name="download" size={28} />
          <p>Drop a bundle to open it. It stays in this browser.</p>
        </div>
      )}
      {outcome !== null && (
        <Dialog title={"why" in outcome ? "Not opened" : "Which session?"} onClose={() => setOutcome(null)}>
          {"why" in outcome ? (
            <Notice kind="error" title="This file was not opened">
              <InertText text={outcome.name} />: {outcome.why}
            </Notice>
          ) : (
            <ul className={css.choices}>
              {outcome.choose.map((session) => (
                <li key={session} onClick={() => setOutcome(null)}>
                  <RefLink to={session} href={to.session(session)} withHash />
                </li>
              ))}
            </ul>
          )}
        </Dialog>
      )}
    </>
  );
}
