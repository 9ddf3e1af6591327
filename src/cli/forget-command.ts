import { figure } from "../text/counted.ts";
import type { CliCommand } from "./cli-command.ts";
import { type CommandAnswer, type CommandRequest, commandRequestShape, faultOf } from "./requests.ts";

/**
 * `magis forget OWNER/REPO`: deletes a repository's evolution memory (paper 3.2.1) in every installation, and what names
 * it or its people in the ledger. `magis forget @LOGIN`: what names a person there. `send` throws a MagisError when it
 * can reach neither the running bot nor the database.
 */
export function createForgetCommand(send: (request: CommandRequest) => Promise<CommandAnswer>): CliCommand {
  return {
    name: "forget",
    waiting: "deleting",
    description: "delete summaries of a repository's files, and names from the ledger",
    operand: { name: "OWNER/REPO", description: "the repository, in every installation, or @LOGIN", required: true },
    options: [],
    async run({ operand = "" }) {
      const { data } = commandRequestShape.safeParse(requestOf(operand));
      if (!data) return { exitCode: 2, text: "Name one repository or person: magis forget OWNER/REPO, or @LOGIN" };
      const answer = await send(data);
      if (!("versions" in answer)) return { exitCode: 1, text: faultOf(answer) };
      const { versions, entries = 0 } = answer;
      return { exitCode: 0, text: sentence(versions, entries, operand) };
    },
  };
}

function requestOf(operand: string): unknown {
  if (operand.startsWith("@")) return { command: "forget-person", login: operand.slice(1) };
  const [owner, name, ...rest] = operand.split("/");
  return rest.length > 0 ? undefined : { command: "forget", owner, name };
}

function sentence(versions: number, entries: number, what: string): string {
  const summaries = `Deleted ${figure(versions, "summary", "summaries")} of files of ${what}.`;
  const names = `Removed ${what} from ${figure(entries, "entry", "entries")} of the ledger.`;
  if (versions === 0 && entries === 0) return `Nothing was remembered of ${what}.`;
  return [versions > 0 && summaries, entries > 0 && names].filter(Boolean).join(" ");
}
