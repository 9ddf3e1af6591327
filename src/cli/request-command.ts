import type { AcceptedRun } from "../ports/run-asker.ts";
import type { CliCommand, CliOption } from "./cli-command.ts";

/** A request for a run, as the bot takes it at `/api/runs`. */
export interface RunOrder {
  readonly repository: string;
  readonly issue: number;
  readonly person: string;
  readonly hint?: string | undefined;
}

/** `url`: the bot's address; absent: as configured. Throws a MagisError when the bot cannot be reached. */
export type SendRunOrder = (
  order: RunOrder,
  url: string | undefined,
) => Promise<AcceptedRun | { readonly refused: string }>;

const REQUEST_OPTIONS = [
  { name: "as", argument: "LOGIN", description: "the person on GitHub who asks, and who must be allowed to" },
  { name: "hint", argument: "TEXT", description: "what would follow /magis resolve in a comment" },
  { name: "url", argument: "ADDRESS", description: "the bot's address instead of MAGIS_URL" },
] as const satisfies readonly CliOption[];

const TARGET = /^([\w.-]{1,100}\/[\w.-]{1,100})#(\d{1,9})$/;

/** `magis request OWNER/REPO#N --as LOGIN`: asks a running bot for a run, by a request that MAGIS_API_SECRET signs. */
export function createRequestCommand(send: SendRunOrder): CliCommand<typeof REQUEST_OPTIONS> {
  return {
    name: "request",
    waiting: "asking the bot",
    description: "ask a running bot to work on an issue, in a person's name",
    operand: { name: "OWNER/REPO#N", description: "the issue", required: true },
    usage: "OWNER/REPO#N --as LOGIN",
    options: REQUEST_OPTIONS,
    async run({ operand = "", options }) {
      const [, repository, issue] = TARGET.exec(operand) ?? [];
      const { as: person, hint, url } = options;
      if (repository === undefined || person === undefined)
        return { exitCode: 2, text: "Name one issue and a person: magis request OWNER/REPO#N --as LOGIN" };
      const answer = await send({ repository, issue: Number(issue), person, hint }, url);
      if ("refused" in answer) return { exitCode: 1, text: answer.refused };
      const { run, issue: shownOn, page } = answer;
      const text = `Asked for ${run}.\nIts state is shown on ${shownOn}`;
      return { exitCode: 0, text: page === undefined ? text : `${text}\nIts page: ${page}` };
    },
  };
}
