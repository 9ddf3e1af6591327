import type { CommandPlace, ExitCode } from "../src/commands/cli-command.ts";
import { runCommand } from "../src/run-command.ts";
import { evalCommand } from "./eval-command.ts";

const EVAL = {
  name: "eval",
  description: "solve SWE-bench instances, measure what comes out, and write a report",
  load: async () => evalCommand,
};

/** Runs `npm run eval -- ARGS`. Like `runCommand`, it uses no globals of the process but its working directory. */
export function runEvalCommand(args: readonly string[], place: CommandPlace): Promise<ExitCode> {
  return runCommand(["eval", ...args], place, { name: "npm run", commands: [EVAL] });
}
