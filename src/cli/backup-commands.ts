import path from "node:path";
import type { CliCommand } from "./cli-command.ts";

const operand = (description: string) => ({ name: "FILE", description, required: true });

/**
 * `magis backup FILE`: everything that the bot's database holds, also while the bot runs. `backUp` takes an absolute
 * path, and throws a MagisError when there is no backup.
 */
export function createBackupCommand(backUp: (file: string) => Promise<void>): CliCommand {
  return {
    name: "backup",
    waiting: "backing up",
    description: "write the bot's database to a file, also while it runs",
    operand: operand("a new file, which only you can read"),
    options: [],
    async run({ operand: file = "" }) {
      const place = path.resolve(file);
      await backUp(place);
      return { exitCode: 0, text: `Wrote ${place}. magis restore makes a database of it.` };
    },
  };
}

/** `magis restore FILE`: makes the bot's database from a backup, where there is none. `restoreFrom` as `backUp` above. */
export function createRestoreCommand(restoreFrom: (file: string) => Promise<void>): CliCommand {
  return {
    name: "restore",
    waiting: "restoring",
    description: "make the bot's database from a backup, before it starts",
    operand: operand("what magis backup wrote"),
    options: [],
    async run({ operand: file = "" }) {
      await restoreFrom(path.resolve(file));
      return { exitCode: 0, text: "The database is restored. Unfinished runs go on when the bot starts." };
    },
  };
}
