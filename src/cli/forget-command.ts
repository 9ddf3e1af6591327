import type { CliCommand } from "./cli-command.ts";
import { type CommandAnswer, type CommandRequest, commandRequestShape, faultOf } from "./requests.ts";

/**
 * `magis forget OWNER/REPO`: deletes a repository's evolution memory (paper 3.2.1) in every installation. `send` throws
 * a MagisError when it can reach neither the running bot nor the database.
 */
export function createForgetCommand(send: (request: CommandRequest) => Promise<CommandAnswer>): CliCommand {
  return {
    name: "forget",
    waiting: "deleting",
    description: "delete the summaries that are remembered of a repository's files",
    operand: { name: "OWNER/REPO", description: "the repository, in every installation", required: true },
    options: [],
    async run({ operand: repository = "" }) {
      const [owner, name, ...rest] = repository.split("/");
      const { data } = commandRequestShape.safeParse({ command: "forget", owner, name });
      if (!data || rest.length > 0) {
        return { exitCode: 2, text: "Name one repository as OWNER/REPO: magis forget OWNER/REPO" };
      }
      const answer = await send(data);
      if (!("versions" in answer)) return { exitCode: 1, text: faultOf(answer) };
      return { exitCode: 0, text: sentence(answer.versions, repository) };
    },
  };
}

function sentence(versions: number, repository: string): string {
  if (versions === 0) return `Nothing was remembered of ${repository}.`;
  return `Deleted ${versions} ${versions === 1 ? "summary" : "summaries"} of files of ${repository}.`;
}
