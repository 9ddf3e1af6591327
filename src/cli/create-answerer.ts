import type { EvolutionMemory } from "../ports/evolution-memory.ts";
import type { Log } from "../ports/log.ts";
import type { RunArchive } from "../ports/run-archive.ts";
import { type CommandAnswer, type CommandRequest, commandRequestShape } from "./command-request.ts";

/** How many runs a list has. */
const LISTED = 20;

interface AnswererParts {
  readonly memory: Pick<EvolutionMemory, "forget">;
  readonly runs: RunArchive;
  readonly log: Log;
}

/**
 * Carries out what a command asks for; the request may come from another process and is checked. Never throws: what goes
 * wrong is a `fault`, one sentence for the person at the command line.
 */
export function createAnswerer(parts: AnswererParts): (request: unknown) => Promise<CommandAnswer> {
  return async (request) => {
    const { data } = commandRequestShape.safeParse(request);
    if (!data) return { fault: "The bot does not know this command: it may be of another version." };
    const { command } = data;
    try {
      return data.command === "forget" ? await forget(data, parts) : await show(data.run, parts.runs);
    } catch (error) {
      parts.log.error({ command, error }, "command failed");
      return { fault: "The database could not do it; the log says why." };
    }
  };
}

async function forget(request: Extract<CommandRequest, { command: "forget" }>, { memory, log }: AnswererParts) {
  const { command, owner, name } = request;
  const versions = await memory.forget({ owner, name });
  log.info({ command, repository: `${owner}/${name}`, versions }, "command done");
  return { versions };
}

async function show(run: string | undefined, runs: RunArchive): Promise<CommandAnswer> {
  if (run === undefined) return { runs: [...(await runs.latest(LISTED))] };
  const [, owner, name, number] = /^([^/#]+)\/([^/#]+)#(\d{1,9})$/.exec(run) ?? [];
  const report =
    owner !== undefined && name !== undefined && number !== undefined
      ? await runs.latestReport({ owner, name }, Number(number))
      : await runs.report(run);
  return { report: report === undefined ? null : { ...report } };
}
