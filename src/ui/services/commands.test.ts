import { expect, test } from "vitest";
import { createCommands, runCommand, type Command } from "./commands.ts";

const command = (id: string, run: Command["run"] = () => undefined): Command => ({ id, title: id, run });

test("a page's commands go when it goes, and the next page's stay", () => {
  const store = createCommands();
  const [first, second] = [[command("a")], [command("b")]];
  const leaveFirst = store.getState().offer(first);
  const leaveSecond = store.getState().offer(second);
  leaveFirst();
  expect(store.getState().offered).toBe(second);
  leaveSecond();
  expect(store.getState().offered).toEqual([]);
});

test("what a command came to is said, and nothing where it says nothing", async () => {
  const store = createCommands();
  await runCommand(
    store,
    command("copy", () => Promise.resolve("Copied")),
  );
  expect(store.getState().announcement).toBe("Copied");
  await runCommand(store, command("go"));
  expect(store.getState().announcement).toBe("");
});
