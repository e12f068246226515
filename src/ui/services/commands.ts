// The commands of the current page, for the palette and for single keys, and what the last one announced. The page
// that is shown offers its commands while it is there. No I/O here.

import { createStore, type StoreApi } from "zustand/vanilla";

export interface Command {
  readonly id: string;
  /** What it does, in a few words. */
  readonly title: string;
  /** A single key that does it, as KeyboardEvent.key has it. */
  readonly key?: string;
  /** Does it; a text says what came of it, where that is not seen. */
  readonly run: () => string | undefined | Promise<string>;
}

export interface Commands {
  readonly offered: readonly Command[];
  /** What the last command came to, until it is taken away. */
  readonly announcement: string;
  /** The commands are listed under the search bar. */
  readonly palette: boolean;
  /** Offers a page's commands; what is returned takes them back. */
  readonly offer: (commands: readonly Command[]) => () => void;
  readonly announce: (said: string) => void;
  readonly setPalette: (open: boolean) => void;
}

export type CommandsApi = StoreApi<Commands>;

export function createCommands(): CommandsApi {
  return createStore<Commands>((set) => ({
    offered: [],
    announcement: "",
    palette: false,
    offer: (commands) => {
      set({ offered: commands });
      // The next page may have offered its own by now.
      return () => set(({ offered }) => (offered === commands ? { offered: [] } : {}));
    },
    announce: (said) => set({ announcement: said }),
    setPalette: (open) => set({ palette: open }),
  }));
}

/** Runs a command and says what came of it. */
export async function runCommand(commands: CommandsApi, { run }: Command): Promise<void> {
  commands.getState().announce((await run()) ?? "");
}
