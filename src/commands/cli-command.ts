import type { Readable } from "node:stream";
import type { z } from "zod";
import type { Log } from "../data/log.ts";

/**
 * 0: done. 1: failed. 2: wrong usage. 3: no change. 4: budget used up. 5: the check is red. 6: the check proved
 * nothing. 130: interrupted.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 130;

/** How a command ended. */
export interface CliResult {
  exitCode: ExitCode;
  /** for people: goes to standard output when the command succeeds, else to standard error; "" prints nothing */
  text: string;
  /** for programs: goes to standard output however the command ended */
  output?: string | Uint8Array | undefined;
}

/** An option of a command: `--name`, or `--name ARGUMENT` when it has an argument. */
export interface CliOption {
  /** without the dashes */
  name: string;
  /** a name for its value, e.g. `FILE`; absent: it is a switch */
  argument?: string;
  description: string;
  /** the only values allowed */
  choices?: readonly string[];
  /** parses the text into the value; its error message continues "It …", e.g. `must be a whole number from 1` */
  shape?: z.ZodType<unknown, string>;
}

/** A positional argument. */
export interface CliOperand {
  /** e.g. `OWNER/REPO` */
  name: string;
  description: string;
  required: boolean;
}

/** Option values by name: true for a switch; options that were not given are absent. */
export type CliOptionValues<Options extends readonly CliOption[]> = {
  readonly [One in Options[number] as One["name"]]?: One extends { shape: z.ZodType<infer Value> }
    ? Value
    : One extends { choices: readonly (infer Choice)[] }
      ? Choice
      : One extends { argument: string }
        ? string
        : true;
};

/** The parsed command line. */
export interface CliInput<Options extends readonly CliOption[] = readonly CliOption[]> {
  operand?: string | undefined;
  options: CliOptionValues<Options>;
}

/** An output stream; a terminal has the optional members. */
export type CliStream = NodeJS.WritableStream & {
  isTTY?: boolean;
  columns?: number;
  hasColors?(): boolean;
};

/** Where a command line is given: a real process, or a caller inside one. */
export interface CommandPlace {
  environment: Readonly<Record<string, string | undefined>>;
  stdin: Readable & { isTTY?: boolean };
  stdout: CliStream;
  stderr: CliStream;
  /** aborts at Ctrl-C */
  signal: AbortSignal;
  /** Starts the bot, which then owns the process. `chosen`: variables in addition to the environment's. */
  startBot(chosen: Readonly<Record<string, string>>): Promise<void>;
}

/** What a command gets apart from its arguments: where it was called, and ways to speak while it works. */
export interface CliContext extends CommandPlace {
  /** what people write before a command's name; absent: magis */
  program?: "magis" | "npm run" | undefined;
  version: string;
  /** width of the terminal on standard output; absent when it is not a terminal: do not wrap lines */
  columns?: number | undefined;
  /** says warnings and errors to the person */
  log: Log;
  /** Prints a line on standard error while the command works. */
  progress(line: string): void;
  /**
   * Draws a line at the bottom of the terminal in place of the previous one; "" removes it. Absent when standard error
   * is not a terminal, or nobody is watching it.
   */
  live?: ((line: string) => void) | undefined;
}

/** A command in the table of commands: all that the list of commands shows. */
export interface NamedCommand {
  name: string;
  /** a sentence without its full stop */
  description: string;
  operand?: CliOperand;
  /** Loads its module: when it is called, or help is asked about it. */
  load(): Promise<CliCommand>;
}

export interface CliCommand<Options extends readonly CliOption[] = readonly CliOption[]> {
  /** what help shows after the name instead of the operand, e.g. `--instances FILE --mirrors DIR` */
  usage?: string;
  /** the live line's text during the command, e.g. `looking around`; absent: the command draws its own, or none */
  waiting?: string | undefined;
  /** command lines that help shows, without the program's name */
  examples?: readonly string[];
  /** in help's order */
  options: Options;
  run(input: CliInput<Options>, context: CliContext): Promise<CliResult>;
}
