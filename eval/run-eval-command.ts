import type { CommandPlace, ExitCode } from "../src/cli/cli-command.ts";
import { runCommand } from "../src/run-command.ts";
import { createEvalCommand } from "./eval-command.ts";

/** Runs `npm run eval -- ARGS`. Like `runCommand`, it uses no globals of the process but its working directory. */
export function runEvalCommand(args: readonly string[], place: CommandPlace): Promise<ExitCode> {
  return runCommand(["eval", ...args], place, "npm run", ({ environment }) => [
    createEvalCommand(async (options, cli) => (await import("./run-eval.ts")).runEval(options, cli, environment)),
  ]);
}
