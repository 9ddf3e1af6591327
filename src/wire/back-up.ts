import { backUpPostgres, restoreEmbedded, restorePostgres } from "../adapters/database/backup.ts";
import { faultOf } from "../cli/requests.ts";
import { workingEnvFile } from "../config/environment/own-env-file.ts";
import { type Environment, readDatabaseConfig } from "../config/environment/read-config.ts";
import { MagisError } from "../model/error.ts";
import type { Log } from "../ports/log.ts";
import { ownStateFolder } from "./own-state.ts";
import { sendRequest } from "./send-request.ts";

/**
 * Writes the configured database to `file`: an embedded one by the bot that has it open, or here.
 * Throws CONFIGURATION_INVALID, DATABASE_UNAVAILABLE, BACKUP_FAILED.
 */
export async function backUp(file: string, environment: Environment, log: Log): Promise<void> {
  const { url } = readPlace(environment, log);
  if (url !== undefined) return backUpPostgres(url, file, environment);
  const answer = await sendRequest({ command: "backup", file }, environment, log);
  if (!("backup" in answer)) throw new MagisError("BACKUP_FAILED", faultOf(answer));
}

/** Makes the configured database from `file`. Throws what `backUp` throws, and DATA_DIRECTORY_IN_USE. */
export async function restore(file: string, environment: Environment, log: Log): Promise<void> {
  const { url, dataDir } = readPlace(environment, log);
  if (url !== undefined) return restorePostgres(url, file, environment);
  return restoreEmbedded(dataDir, file, log);
}

const readPlace = (environment: Environment, log: Log) =>
  readDatabaseConfig(workingEnvFile(environment, ownStateFolder(environment)), environment, (sentence) =>
    log.warn({}, sentence),
  );
