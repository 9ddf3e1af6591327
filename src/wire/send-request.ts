import { existsSync } from "node:fs";
import path from "node:path";
import { askHolder } from "../adapters/database/ask-holder.ts";
import { createEvolutionMemory } from "../adapters/database/create-evolution-memory.ts";
import { createRunArchive } from "../adapters/database/create-run-archive.ts";
import { openDatabase } from "../adapters/database/open-database.ts";
import { type CommandAnswer, type CommandRequest, commandAnswerShape } from "../cli/command-request.ts";
import { createAnswerer } from "../cli/create-answerer.ts";
import { readDatabaseConfig } from "../config/environment/config.ts";
import { MagisError } from "../model/magis-error.ts";
import type { Log } from "../ports/log.ts";

/** No command adds to the memory. */
const MEMORY_VERSIONS = Number.MAX_SAFE_INTEGER;

/**
 * Has a request carried out: by the running bot when it holds the embedded database, else here.
 * Throws CONFIGURATION_INVALID, and DATABASE_UNAVAILABLE when neither can be reached.
 */
export async function sendRequest(request: CommandRequest, log: Log): Promise<CommandAnswer> {
  const { dataDir, url } = readDatabaseConfig(".env");
  if (url === undefined) {
    const answered = await askHolder(dataDir, request);
    if (answered !== undefined) {
      const { data } = commandAnswerShape.safeParse(answered);
      return data ?? { fault: "The running bot's answer was not understood: it may be of another version." };
    }
    if (!existsSync(path.join(dataDir, "postgres"))) {
      const message = `There is no database in ${dataDir}: set MAGIS_DATA_DIR or DATABASE_URL as the bot has it.`;
      throw new MagisError("DATABASE_UNAVAILABLE", message, { dataDir });
    }
  }
  const database = await openDatabase({ ...(url !== undefined && { url }), dataDir, log });
  try {
    const memory = createEvolutionMemory(database.pool, { maxVersions: MEMORY_VERSIONS, log });
    return await createAnswerer({ memory, runs: createRunArchive(database.pool, log), log })(request);
  } finally {
    await database.close();
  }
}
