// The theme in force: the person's choice, or the system's. `applyTheme` is the only place that sets data-theme.

export const THEME_CHOICES = ["system", "light", "dark"] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];
export type Theme = "light" | "dark";

/** What a choice comes to, given what the system asks for. */
export function resolveTheme(choice: ThemeChoice, systemIsDark: boolean): Theme {
  return choice === "system" ? (systemIsDark ? "dark" : "light") : choice;
}

/** Number of colours that tell wallets apart; participants beyond it begin again. */
export const WALLET_COLOURS = 8;

/** CSS colour of a participant, by its place among the participants. */
export function walletColour(place: number): string {
  return `var(--w${place % WALLET_COLOURS})`;
}

/** The narrow part of a window that the theme needs. */
export interface ThemeHost {
  readonly root: { setAttribute(name: string, value: string): void };
  readonly systemDark: {
    readonly matches: boolean;
    addEventListener(type: "change", listener: () => void): void;
    removeEventListener(type: "change", listener: () => void): void;
  };
}

/** Keeps data-theme in step with the choice and with the system; returns the way to stop. */
export function followTheme(
  host: ThemeHost,
  choice: () => ThemeChoice,
  onChoice: (listener: () => void) => () => void,
): () => void {
  const apply = () => host.root.setAttribute("data-theme", resolveTheme(choice(), host.systemDark.matches));
  apply();
  const stop = onChoice(apply);
  host.systemDark.addEventListener("change", apply);
  return () => {
    stop();
    host.systemDark.removeEventListener("change", apply);
  };
}
