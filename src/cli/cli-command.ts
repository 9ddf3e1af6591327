/** 0: done. 1: it failed. 2: the command line is wrong. 3: no change came out. 4: the budget ended it. 130: interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130;

/** How a command ended. */
export interface CliResult {
  readonly exitCode: ExitCode;
  /** for people: on standard output when the command is done, else on standard error; "" says nothing */
  readonly text: string;
  /** on standard output, however the command ended: what another program reads */
  readonly output?: string | Uint8Array;
}

/** An option of a command: `--name`, or `--name VALUE` when it has a value. */
export interface CliOption {
  /** what its value is, e.g. `FILE`; absent: it is a switch */
  readonly value?: string;
  readonly about: string;
}

/** What was given: switches are true; options that were not given are absent. */
export interface CliInput {
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, string | true | undefined>>;
}

export interface CliContext {
  readonly version: string;
  /** aborts at Ctrl-C */
  readonly signal: AbortSignal;
  /** A line on standard error while the command works. */
  progress(line: string): void;
}

export interface CliCommand {
  readonly name: string;
  /** what follows the name, e.g. `OWNER/REPO` */
  readonly operands: string;
  readonly about: string;
  readonly options: Readonly<Record<string, CliOption>>;
  run(input: CliInput, context: CliContext): Promise<CliResult>;
}
