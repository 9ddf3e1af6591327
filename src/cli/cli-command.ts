import type { Readable } from "node:stream";
import type { z } from "zod";

/**
 * 0: done. 1: failed. 2: wrong usage. 3: no change came out. 4: the budget ended it. 5: the check is red. 6: the check
 * proved nothing. 130: interrupted.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 130;

/** How a command ended. */
export interface CliResult {
  readonly exitCode: ExitCode;
  /** for people: on standard output when the command is done, else on standard error; "" says nothing */
  readonly text: string;
  /** on standard output, however the command ended: what another program reads */
  readonly output?: string | Uint8Array | undefined;
}

/** An option of a command: `--name`, or `--name ARGUMENT` when it has an argument. */
export interface CliOption {
  /** without its dashes */
  readonly name: string;
  /** what its value is, e.g. `FILE`; absent: it is a switch */
  readonly argument?: string;
  readonly description: string;
  /** the only values that it takes */
  readonly choices?: readonly string[];
  /** makes the value of its text; its message goes on after "It", e.g. `must be a whole number from 1` */
  readonly shape?: z.ZodType<unknown, string>;
}

/** What stands behind a command's name without an option. */
export interface CliOperand {
  /** e.g. `OWNER/REPO` */
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** The values of options by their names: switches are true; options that were not given are absent. */
export type CliOptionValues<Options extends readonly CliOption[]> = {
  readonly [One in Options[number] as One["name"]]?: One extends { readonly shape: z.ZodType<infer Value> }
    ? Value
    : One extends { readonly choices: readonly (infer Choice)[] }
      ? Choice
      : One extends { readonly argument: string }
        ? string
        : true;
};

/** What was given. */
export interface CliInput<Options extends readonly CliOption[] = readonly CliOption[]> {
  readonly operand?: string | undefined;
  readonly options: CliOptionValues<Options>;
}

/** Where text goes; a terminal knows more. */
export type CliStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(): boolean;
};

/** What a command line is given besides its words, by whoever runs it: a process, or something inside of one. */
export interface CommandPlace {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: CliStream;
  readonly stderr: CliStream;
  /** aborts at Ctrl-C */
  readonly signal: AbortSignal;
  /** Starts the bot, which from then on has the process for itself. `chosen`: variables besides those of the environment. */
  startBot(chosen: Readonly<Record<string, string>>): Promise<void>;
}

export interface CliContext {
  readonly version: string;
  /** aborts at Ctrl-C */
  readonly signal: AbortSignal;
  /** width of the terminal that standard output is; absent where it is none: lines are not wrapped */
  readonly columns?: number | undefined;
  /** A line on standard error while the command works. */
  progress(line: string): void;
  /**
   * Draws a line that stays the last of the terminal, over the one that was drawn before; "" takes it away. Absent where
   * standard error is no terminal, or nobody sits in front of it.
   */
  readonly live?: ((line: string) => void) | undefined;
}

export interface CliCommand<Options extends readonly CliOption[] = readonly CliOption[]> {
  readonly name: string;
  /** what it does, as a sentence without its full stop */
  readonly description: string;
  readonly operand?: CliOperand;
  /** what help shows behind the name when the operand does not say it, e.g. `--instances FILE --mirrors DIR` */
  readonly usage?: string;
  /** what the live line says meanwhile: `looking around`; absent: the command draws its own, or none */
  readonly waiting?: string | undefined;
  /** in the order in which help shows them */
  readonly options: Options;
  run(input: CliInput<Options>, context: CliContext): Promise<CliResult>;
}
