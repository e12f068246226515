// A modal dialog: the browser's own <dialog>, which traps the focus, closes on Esc and gives the focus back.

import { useEffect, useId, useRef, type MouseEvent, type ReactNode } from "react";
import { IconButton } from "./button.tsx";
import css from "./dialog.module.css";

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons at its foot. */
  readonly foot?: ReactNode;
}

/** Open while it is mounted. */
export function Dialog({ title, onClose, children, foot }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  const closeOutside = (event: MouseEvent) => {
    if (event.target === ref.current) onClose();
  };
  return (
    <dialog
      ref={ref}
      className={css.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={closeOutside}
    >
      <div className={css.inside}>
        <div className={css.head}>
          <h2 id={id}>{title}</h2>
          <IconButton label="Close" icon="cross" size="s" onClick={onClose} />
        </div>
        {children}
        {foot !== undefined && <div className={css.foot}>{foot}</div>}
      </div>
    </dialog>
  );
}
