// A page that throws takes nothing else with it: the failure is shown in its place, in words, and can be copied.

import { Component, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { Copy } from "./copy.tsx";
import { Notice } from "./notice.tsx";

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly error: unknown;
}

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const text =
      error instanceof Error ? `${error.name}: ${error.message}` : "something that is no error was thrown";
    return (
      <Notice
        large
        kind="error"
        title="This page failed"
        action={
          <>
            <Button icon="refresh" onClick={() => window.location.reload()}>
              Load it again
            </Button>
            <Copy
              text={() => `${text}\n${(error instanceof Error && error.stack) || ""}`}
              words
              kind="plain"
              size="m"
              label="Copy the error"
            />
          </>
        }
      >
        {text}
      </Notice>
    );
  }
}
