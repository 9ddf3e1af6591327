import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { askHolder } from "../adapters/database/directory-lock.ts";
import { createEvolutionMemory } from "../adapters/database/evolution-memory.ts";
import { createLedger } from "../adapters/database/ledger.ts";
import { openDatabase } from "../adapters/database/open-database.ts";
import { createRunArchive } from "../adapters/database/run-store.ts";
import { writeWhole } from "../adapters/write-whole.ts";
import type { CommandPlace } from "../cli/cli-command.ts";
import {
  answerShow,
  type CommandAnswer,
  type CommandRequest,
  commandAnswerShape,
  createAnswerer,
  LISTED,
} from "../cli/requests.ts";
import type { LedgerServices } from "../cli/show/costs-command.ts";
import type { ShowServices } from "../cli/show/show-command.ts";
import { workingEnvFile } from "../config/environment/own-env-file.ts";
import { type Environment, namesDatabase, readDatabaseConfig } from "../config/environment/read-config.ts";
import { isMagisError, MagisError } from "../model/error.ts";
import { fileFault } from "../model/file-faults.ts";
import type { Log } from "../ports/log.ts";
import { openOwnRuns, ownStateFolder } from "./own-state.ts";

/** Unlimited, because no command adds to the memory. */
const MEMORY_VERSIONS = Number.MAX_SAFE_INTEGER;

/** A database of a gigabyte is packed in less. */
const BACKUP_WITHIN_MS = 600_000;

/**
 * Carries out a request: by the running bot when it holds the embedded database, else here.
 * Throws CONFIGURATION_INVALID, and DATABASE_UNAVAILABLE when neither can be reached.
 */
export async function sendRequest(request: CommandRequest, environment: Environment, log: Log): Promise<CommandAnswer> {
  const { dataDir, url } = readDatabaseConfig(
    workingEnvFile(environment, ownStateFolder(environment)),
    environment,
    (sentence) => log.warn({}, sentence),
  );
  if (url === undefined) {
    const answered = await askHolder(dataDir, request, request.command === "backup" ? BACKUP_WITHIN_MS : undefined);
    if (answered !== undefined) {
      const { data } = commandAnswerShape.safeParse(answered);
      return data ?? { fault: "Could not understand the running bot's answer: it may be another version." };
    }
    if (!existsSync(path.join(dataDir, "postgres"))) {
      const message = `There is no database in ${dataDir}: set MAGIS_DATA_DIR or DATABASE_URL as the bot has it.`;
      throw new MagisError("DATABASE_UNAVAILABLE", message, { dataDir });
    }
  }
  const database = await openDatabase({ url, dataDir, log });
  try {
    const memory = createEvolutionMemory(database.pool, { maxVersions: MEMORY_VERSIONS, log });
    const runs = createRunArchive(database.pool, log);
    const { backUp } = database;
    return await createAnswerer({ memory, runs, ledger: createLedger(database.pool, log), backUp, log })(request);
  } finally {
    await database.close();
  }
}

/**
 * Answers `show` from the command line's own runs, and from the bot's database if its place is configured: lists both,
 * labelled, or shows the latest run of an issue. Throws what `sendRequest` throws, unless the command line's own runs
 * are enough.
 */
async function showRuns(
  { run }: Extract<CommandRequest, { command: "show" }>,
  environment: Environment,
  log: Log,
): Promise<CommandAnswer> {
  const here = await ownRuns(run, environment, log);
  const isHere = "runs" in here ? here.runs.length > 0 : here.report !== null;
  if (!namesDatabase(workingEnvFile(environment, ownStateFolder(environment)), environment))
    return isHere ? here : { fault: noneHere(run) };
  const there = await sendRequest({ command: "show", run }, environment, log).catch((error: unknown) => {
    if (!isMagisError(error) || !isHere) throw error;
    return { fault: error.message };
  });
  if (!isHere) return there;
  if (!("fault" in there)) return both(here, there);
  log.warn({}, there.fault);
  return here;
}

async function ownRuns(run: string | undefined, environment: Environment, log: Log): ReturnType<typeof answerShow> {
  const own = openOwnRuns(environment, (sentence) => log.warn({}, sentence));
  if (own === undefined) return { runs: [] };
  const answer = await answerShow(run, own);
  return "runs" in answer ? { runs: answer.runs.map((one) => ({ ...one, place: HERE })) } : answer;
}

/** Merges both answers: the runs of both lists, latest first, or the later of two runs. */
function both(here: CommandAnswer, there: CommandAnswer): CommandAnswer {
  if ("runs" in here && "runs" in there) {
    const runs = [...here.runs, ...there.runs].sort((a, b) => b.requestedAt.localeCompare(a.requestedAt));
    return { runs: runs.slice(0, LISTED) };
  }
  if (!("report" in here) || !("report" in there) || there.report === null) return here;
  const isLater = String(there.report.requestedAt) > String(here.report?.requestedAt);
  return isLater ? there : here;
}

/** Labels a run of the command line in a list. */
const HERE = "on the command line";

function noneHere(run: string | undefined): string {
  const what =
    run === undefined ? "No run of the command line is kept yet" : `No run of that name is kept here: ${run}`;
  return `${what}. Runs of the bot are in its database: set MAGIS_DATA_DIR or DATABASE_URL as the bot has it.`;
}

/** The default width. */
const COLUMNS = 100;

/** The terminal that `stdout` is. */
function terminalOf({ stdout }: Pick<CommandPlace, "stdout">): ShowServices["terminal"] {
  // hasColors() heeds NO_COLOR and terminals without colours.
  return { columns: stdout.columns ?? COLUMNS, colours: stdout.isTTY === true && stdout.hasColors?.() === true };
}

/** What `magis costs` and `magis stats` need: the bot or its database, and `stdout`. */
export function ledgerServices(place: Pick<CommandPlace, "environment" | "stdout">, log: Log): LedgerServices {
  return { send: (request) => sendRequest(request, place.environment, log), terminal: terminalOf(place) };
}

/** What `magis show` needs: the bot or its database, files, and `stdout`, which may be a terminal. */
export function showServices(
  { environment, stdout }: Pick<CommandPlace, "environment" | "stdout">,
  log: Log,
): ShowServices {
  return {
    send: (request) =>
      request.command === "show" ? showRuns(request, environment, log) : sendRequest(request, environment, log),
    readText: async (file) => {
      try {
        return { text: await readFile(file, "utf8") };
      } catch (error) {
        return { fault: `${file} cannot be read: ${fileFault(error)}. A kept run is named OWNER/REPO#N or by its id.` };
      }
    },
    writeText: async (file, text) => {
      try {
        await writeWhole(file, text);
        return undefined;
      } catch (error) {
        return { fault: `${file} cannot be written: ${fileFault(error)}.` };
      }
    },
    openPage: async (html, file) => (await import("./open-page.ts")).openPage(html, file),
    terminal: terminalOf({ stdout }),
  };
}
