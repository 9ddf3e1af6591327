import { commandRequestShape, faultOf, sendRequest } from "../app/requests.ts";
import { figure } from "../text/counted.ts";
import type { CliCommand } from "./cli-command.ts";

/**
 * `magis forget OWNER/REPO`: deletes a repository's evolution memory (paper 3.2.1) in every installation, and what names
 * it or its people in the ledger. `magis forget @LOGIN`: what names a person there.
 */
export const forgetCommand: CliCommand = {
  waiting: "deleting",
  options: [],
  async run({ operand = "" }, context) {
    const { data } = commandRequestShape.safeParse(requestOf(operand));
    if (!data) return { exitCode: 2, text: "Name one repository or person: magis forget OWNER/REPO, or @LOGIN" };
    const answer = await sendRequest(data, context);
    if (!("versions" in answer)) return { exitCode: 1, text: faultOf(answer) };
    const { versions, entries = 0 } = answer;
    return { exitCode: 0, text: sentence(versions, entries, operand) };
  },
};

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
