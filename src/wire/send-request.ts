import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createEvolutionMemory } from "../adapters/database/evolution-memory.ts";
import { askHolder } from "../adapters/database/inspect-database.ts";
import { openDatabase } from "../adapters/database/open-database.ts";
import { createRunArchive } from "../adapters/database/run-store.ts";
import type { CommandPlace } from "../cli/cli-command.ts";
import { type CommandAnswer, type CommandRequest, commandAnswerShape, createAnswerer } from "../cli/requests.ts";
import type { ShowServices } from "../cli/show/show-command.ts";
import { type Environment, readDatabaseConfig } from "../config/environment/read-config.ts";
import { writeWhole } from "../evaluation/results/result-folder.ts";
import { MagisError } from "../model/error.ts";
import type { Log } from "../ports/log.ts";

/** No command adds to the memory. */
const MEMORY_VERSIONS = Number.MAX_SAFE_INTEGER;

/**
 * Has a request carried out: by the running bot when it holds the embedded database, else here.
 * Throws CONFIGURATION_INVALID, and DATABASE_UNAVAILABLE when neither can be reached.
 */
export async function sendRequest(request: CommandRequest, environment: Environment, log: Log): Promise<CommandAnswer> {
  const { dataDir, url } = readDatabaseConfig(".env", environment, (sentence) => log.warn({}, sentence));
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

/** Where nothing says how wide it is. */
const COLUMNS = 100;

/** What `magis show` needs: the bot or its database, files, and the terminal that `stdout` is, if it is one. */
export function showServices(
  { environment, stdout }: Pick<CommandPlace, "environment" | "stdout">,
  log: Log,
): ShowServices {
  return {
    send: (request) => sendRequest(request, environment, log),
    readText: async (file) => {
      try {
        return { text: await readFile(file, "utf8") };
      } catch (error) {
        return { fault: `${file} cannot be read: ${reason(error)}. A kept run is named OWNER/REPO#N or by its id.` };
      }
    },
    writeText: async (file, text) => {
      try {
        await writeWhole(file, text);
        return undefined;
      } catch (error) {
        return { fault: `${file} cannot be written: ${reason(error)}.` };
      }
    },
    openPage: async (html, file) => (await import("./open-page.ts")).openPage(html, file),
    // hasColors() knows of NO_COLOR and of terminals that have none.
    terminal: { columns: stdout.columns ?? COLUMNS, colours: stdout.isTTY === true && stdout.hasColors?.() === true },
  };
}

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));
