import type { EvolutionMemory } from "../ports/evolution-memory.ts";
import type { Log } from "../ports/log.ts";
import { type CommandAnswer, commandRequestShape } from "./command-request.ts";

/**
 * Carries out what a command asks for; the request may come from another process and is checked. Never throws: what goes
 * wrong is a `fault`, one sentence for the person at the command line.
 */
export function createAnswerer(parts: {
  readonly memory: Pick<EvolutionMemory, "forget">;
  readonly log: Log;
}): (request: unknown) => Promise<CommandAnswer> {
  return async (request) => {
    const { data } = commandRequestShape.safeParse(request);
    if (!data) return { fault: "The bot does not know this command: it may be of another version." };
    const { command, owner, name } = data;
    try {
      const versions = await parts.memory.forget({ owner, name });
      parts.log.info({ command, repository: `${owner}/${name}`, versions }, "command done");
      return { versions };
    } catch (error) {
      parts.log.error({ command, error }, "command failed");
      return { fault: "The database could not do it; the log says why." };
    }
  };
}
