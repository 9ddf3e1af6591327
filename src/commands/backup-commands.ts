import path from "node:path";
import { databaseOf, faultOf, sendRequest } from "../app/requests.ts";
import { MagisError } from "../data/error.ts";
import { backUpPostgres, restoreEmbedded, restorePostgres } from "../queue/database/backup.ts";
import type { CliCommand } from "./cli-command.ts";

/** `magis backup FILE`: everything that the bot's database holds, also while the bot runs. */
export const backupCommand: CliCommand = {
  waiting: "backing up",
  options: [],
  async run({ operand = "" }, context) {
    const file = path.resolve(operand);
    const { url } = databaseOf(context);
    if (url !== undefined) await backUpPostgres(url, file, context.environment);
    else {
      // By the bot, when it has the embedded database open.
      const answer = await sendRequest({ command: "backup", file }, context);
      if (!("backup" in answer)) throw new MagisError("BACKUP_FAILED", faultOf(answer));
    }
    return { exitCode: 0, text: `Wrote ${file}. magis restore makes a database of it.` };
  },
};

/** `magis restore FILE`: makes the bot's database from a backup, where there is none. */
export const restoreCommand: CliCommand = {
  waiting: "restoring",
  options: [],
  async run({ operand = "" }, context) {
    const file = path.resolve(operand);
    const { url, dataDir } = databaseOf(context);
    if (url !== undefined) await restorePostgres(url, file, context.environment);
    else await restoreEmbedded(dataDir, file, context.log);
    return { exitCode: 0, text: "The database is restored. Unfinished runs go on when the bot starts." };
  },
};
