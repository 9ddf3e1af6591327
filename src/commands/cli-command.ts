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
  readonly exitCode: ExitCode;
  /** for people: goes to standard output when the command succeeds, else to standard error; "" prints nothing */
  readonly text: string;
  /** for programs: goes to standard output however the command ended */
  readonly output?: string | Uint8Array | undefined;
}

/** An option of a command: `--name`, or `--name ARGUMENT` when it has an argument. */
export interface CliOption {
  /** without the dashes */
  readonly name: string;
  /** a name for its value, e.g. `FILE`; absent: it is a switch */
  readonly argument?: string;
  readonly description: string;
  /** the only values allowed */
  readonly choices?: readonly string[];
  /** parses the text into the value; its error message continues "It …", e.g. `must be a whole number from 1` */
  readonly shape?: z.ZodType<unknown, string>;
}

/** A positional argument. */
export interface CliOperand {
  /** e.g. `OWNER/REPO` */
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** Option values by name: true for a switch; options that were not given are absent. */
export type CliOptionValues<Options extends readonly CliOption[]> = {
  readonly [One in Options[number] as One["name"]]?: One extends { readonly shape: z.ZodType<infer Value> }
    ? Value
    : One extends { readonly choices: readonly (infer Choice)[] }
      ? Choice
      : One extends { readonly argument: string }
        ? string
        : true;
};

/** The parsed command line. */
export interface CliInput<Options extends readonly CliOption[] = readonly CliOption[]> {
  readonly operand?: string | undefined;
  readonly options: CliOptionValues<Options>;
}

/** An output stream; a terminal has the optional members. */
export type CliStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(): boolean;
};

/** Where a command line is given: a real process, or a caller inside one. */
export interface CommandPlace {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: CliStream;
  readonly stderr: CliStream;
  /** aborts at Ctrl-C */
  readonly signal: AbortSignal;
  /** Starts the bot, which then owns the process. `chosen`: variables in addition to the environment's. */
  startBot(chosen: Readonly<Record<string, string>>): Promise<void>;
}

/** What a command gets apart from its arguments: where it was called, and ways to speak while it works. */
export interface CliContext extends CommandPlace {
  /** what people write before a command's name; absent: magis */
  readonly program?: "magis" | "npm run" | undefined;
  readonly version: string;
  /** width of the terminal on standard output; absent when it is not a terminal: do not wrap lines */
  readonly columns?: number | undefined;
  /** says warnings and errors to the person */
  readonly log: Log;
  /** Prints a line on standard error while the command works. */
  progress(line: string): void;
  /**
   * Draws a line at the bottom of the terminal in place of the previous one; "" removes it. Absent when standard error
   * is not a terminal, or nobody is watching it.
   */
  readonly live?: ((line: string) => void) | undefined;
}

/** A command in the table of commands: all that the list of commands shows. */
export interface NamedCommand {
  readonly name: string;
  /** a sentence without its full stop */
  readonly description: string;
  readonly operand?: CliOperand;
  /** Loads its module: when it is called, or help is asked about it. */
  load(): Promise<CliCommand>;
}

export interface CliCommand<Options extends readonly CliOption[] = readonly CliOption[]> {
  /** what help shows after the name instead of the operand, e.g. `--instances FILE --mirrors DIR` */
  readonly usage?: string;
  /** the live line's text during the command, e.g. `looking around`; absent: the command draws its own, or none */
  readonly waiting?: string | undefined;
  /** command lines that help shows, without the program's name */
  readonly examples?: readonly string[];
  /** in help's order */
  readonly options: Options;
  run(input: CliInput<Options>, context: CliContext): Promise<CliResult>;
}
