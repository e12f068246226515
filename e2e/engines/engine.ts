// A browser as the walk uses it, whatever protocol drives it: tabs of one profile that open addresses and run script.

export interface Tab {
  open(url: string): Promise<void>;
  /** Runs the body of an async function in the page; its result is JSON. */
  run(body: string): Promise<unknown>;
}

export interface Engine {
  newTab(): Promise<Tab>;
  close(): Promise<void>;
}

export interface EngineKind {
  readonly name: "firefox" | "webkit";
  /** What must be installed, for the line that says that it is not. */
  readonly needs: string;
  isInstalled(): boolean;
  start(): Promise<Engine>;
}
