import { existsSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { isMagisError, MagisError } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import { ownVersion } from "../data/own-files.ts";
import { askHolder } from "../queue/database/directory-lock.ts";
import { createEvolutionMemory } from "../queue/database/evolution-memory.ts";
import { createLedger } from "../queue/database/ledger.ts";
import { openDatabase } from "../queue/database/open-database.ts";
import { createRunArchive } from "../queue/database/run-store.ts";
import { COST_GROUPS, type CostLine, type Ledger, type LedgerStats } from "../queue/ledger-port.ts";
import type { EvolutionMemory } from "../run/evolution-memory.ts";
import type { RunArchive, RunSummary } from "../run/runs.ts";
import { workingEnvFile } from "../settings/environment/own-env-file.ts";
import { type Environment, readDatabaseConfig } from "../settings/environment/read-config.ts";
import { ownStateFolder } from "./own-state.ts";

const NAME = /^[\w.-]{1,100}$/;

/** Of a person or a bot. */
const LOGIN = /^[\w.-]{1,100}(\[bot\])?$/;

const forgetShape = z.object({
  command: z.literal("forget"),
  owner: z.string().regex(NAME),
  name: z.string().regex(NAME),
});

const forgetPersonShape = z.object({ command: z.literal("forget-person"), login: z.string().regex(LOGIN) });

const costsShape = z.object({ command: z.literal("costs"), by: z.enum(COST_GROUPS) });

const statsShape = z.object({ command: z.literal("stats") });

const showShape = z.object({
  command: z.literal("show"),
  /** a run's id, or `OWNER/REPO#N` for the latest run of an issue or pull request; absent: a list of the latest runs */
  run: z.string().min(1).max(1000).optional(),
});

const backupShape = z.object({
  command: z.literal("backup"),
  /** an absolute path where nothing is yet */
  file: z.string().min(1).max(4000),
});

/** A command's request. Plain data without secrets: it may go to the running bot. */
export const commandRequestShape = z.discriminatedUnion("command", [
  forgetShape,
  forgetPersonShape,
  showShape,
  costsShape,
  statsShape,
  backupShape,
]);

export type CommandRequest = z.infer<typeof commandRequestShape>;

/** A run in the list of runs. */
export interface ShownSummary extends RunSummary {
  /** where the run is stored, when not in the bot's database */
  place?: string | undefined;
}

/** The answer to a request. */
export type CommandAnswer =
  /** of `forget`: the summaries that were deleted, and the entries of the ledger that were emptied */
  | { versions: number; entries?: number }
  /** the file that was written */
  | { backup: string }
  | { costs: readonly CostLine[] }
  | { stats: LedgerStats }
  /** a RunReport, perhaps of another version, so read it leniently; null when there is no such run */
  | { report: Readonly<Record<string, unknown>> | null }
  /** the latest first */
  | { runs: readonly ShownSummary[] }
  | { fault: string };

/** The length of the list of runs. */
export const LISTED = 20;

/** Unlimited, because no command adds to the memory. */
const MEMORY_VERSIONS = Number.MAX_SAFE_INTEGER;

/** A database of a gigabyte is packed in less. */
const BACKUP_WITHIN_MS = 600_000;

/**
 * Carries out a request: by the running bot when it holds the embedded database, else here.
 * Throws CONFIGURATION_INVALID, and DATABASE_UNAVAILABLE when neither can be reached.
 */
export async function sendRequest(request: CommandRequest, { environment, log }: Sender): Promise<CommandAnswer> {
  const { dataDir, url } = databaseOf({ environment, log });
  const sent = { ...request, version: ownVersion() };
  if (url === undefined) {
    const answered = await askHolder(dataDir, sent, request.command === "backup" ? BACKUP_WITHIN_MS : undefined);
    // The bot answers its own version alone.
    if (answered !== undefined) return answered as CommandAnswer;
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
    return await createAnswerer({ memory, runs, ledger: createLedger(database.pool, log), backUp, log })(sent);
  } finally {
    await database.close();
  }
}

/** Where the bot's database is. Throws CONFIGURATION_INVALID. */
export function databaseOf({ environment, log }: Sender): ReturnType<typeof readDatabaseConfig> {
  const envFile = workingEnvFile(environment, ownStateFolder(environment));
  return readDatabaseConfig(envFile, environment, (sentence) => log.warn({}, sentence));
}

/** Whoever asks. */
interface Sender {
  environment: Environment;
  /** for people */
  log: Log;
}

interface AnswererParts {
  memory: Pick<EvolutionMemory, "forget">;
  ledger: Pick<Ledger, "costs" | "stats" | "forget" | "forgetPerson">;
  runs: RunArchive;
  /** writes a backup of an embedded database to a new file */
  backUp?: ((file: string) => Promise<void>) | undefined;
  log: Log;
}

/**
 * Carries out a request of this version's commands, which is checked because it may come from another process. Never
 * throws: errors become a `fault`, one sentence for the person at the command line.
 */
export function createAnswerer(parts: AnswererParts): (request: unknown) => Promise<CommandAnswer> {
  return async (request) => {
    const { version, ...asked } = Object(request) as { version?: unknown };
    const { data } = commandRequestShape.safeParse(asked);
    if (!data || version !== ownVersion())
      return { fault: "The bot does not know this command: it may be of another version." };
    const { command } = data;
    try {
      return await answer(data, parts);
    } catch (error) {
      parts.log.error({ command, error }, "command failed");
      if (isMagisError(error, "BACKUP_FAILED")) return { fault: error.message };
      return { fault: "The database could not do it; the log says why." };
    }
  };
}

async function answer(request: CommandRequest, parts: AnswererParts): Promise<CommandAnswer> {
  switch (request.command) {
    case "forget":
      return forget(request, parts);
    case "forget-person": {
      const entries = await parts.ledger.forgetPerson(request.login);
      parts.log.info({ command: request.command, entries }, "command done");
      return { versions: 0, entries };
    }
    case "costs":
      return { costs: await parts.ledger.costs(request.by) };
    case "stats":
      return { stats: await parts.ledger.stats() };
    case "backup":
      return backUp(request, parts);
    default:
      return answerShow(request.run, parts.runs);
  }
}

async function forget(request: Extract<CommandRequest, { command: "forget" }>, { memory, ledger, log }: AnswererParts) {
  const { command, owner, name } = request;
  const versions = await memory.forget({ owner, name });
  const entries = await ledger.forget({ owner, name }, "now");
  log.info({ command, repository: `${owner}/${name}`, versions, entries }, "command done");
  return { versions, entries };
}

async function backUp({ command, file }: z.output<typeof backupShape>, parts: AnswererParts) {
  if (parts.backUp === undefined)
    return { fault: "This bot's database is on a server: set DATABASE_URL as it has it." };
  await parts.backUp(file);
  parts.log.info({ command, file }, "command done");
  return { backup: file };
}

/** Answers `show` from an archive. Throws what the archive throws. */
export async function answerShow(
  run: string | undefined,
  runs: RunArchive,
): Promise<Extract<CommandAnswer, { runs: unknown } | { report: unknown }>> {
  if (run === undefined) return { runs: await runs.latest(LISTED) };
  const [, owner, name, number] = /^([^/#]+)\/([^/#]+)#(\d{1,9})$/.exec(run) ?? [];
  const report =
    owner !== undefined && name !== undefined && number !== undefined
      ? await runs.latestReport({ owner, name }, Number(number))
      : await runs.report(run);
  return { report: report === undefined ? null : { ...report } };
}

/** The fault, when the answer does not fit the command's request. */
export function faultOf(answer: CommandAnswer): string {
  return "fault" in answer ? answer.fault : "The running bot's answer was not understood.";
}
