import type { CommandAnswer, CommandRequest } from "./command-request.ts";

/** 0: done. 1: it failed. 2: the command line is wrong. */
export type ExitCode = 0 | 1 | 2;

/** How a command ended, and what is said: on standard output when it is done, else on standard error. */
export interface CliResult {
  readonly exitCode: ExitCode;
  readonly text: string;
}

export interface CliContext {
  readonly version: string;
  /** Throws a MagisError when neither the running bot nor the database can be reached. */
  send(request: CommandRequest): Promise<CommandAnswer>;
}

export interface CliCommand {
  readonly name: string;
  /** what follows the name, e.g. `OWNER/REPO` */
  readonly operands: string;
  readonly about: string;
  run(operands: readonly string[], context: CliContext): Promise<CliResult>;
}
