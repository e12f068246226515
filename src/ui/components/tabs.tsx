// Tabs with the keyboard behaviour of the ARIA pattern. Only the chosen panel exists.

import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";
import css from "./tabs.module.css";

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly title: string;
  readonly icon?: IconName;
  /** A number beside the title: how many faults, rejects … */
  readonly count?: number | undefined;
  /** Draws the count as an alarm. */
  readonly alarm?: boolean;
}

export interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
  readonly children: ReactNode;
}

export function Tabs<Id extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<Id>) {
  return (
    <Radix.Root
      className={css.root}
      value={chosen}
      onValueChange={(id) => {
        const tab = tabs.find((t) => t.id === id);
        if (tab !== undefined) onChoose(tab.id);
      }}
    >
      <Radix.List className={css.list} aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.id} value={tab.id} className={css.tab}>
            {tab.icon !== undefined && <Icon name={tab.icon} />}
            {tab.title}
            {tab.count !== undefined && (
              <span className={tab.alarm === true ? `${css.count} ${css.alarm}` : css.count}>
                {tab.count}
              </span>
            )}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Radix.Content value={chosen} className={css.panel} tabIndex={-1}>
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}
