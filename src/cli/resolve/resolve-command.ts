import { isMagisError } from "../../model/error.ts";
import type { RunReport } from "../../ports/runs.ts";
import type { CliCommand, CliContext, CliResult } from "../cli-command.ts";
import { RESOLVE_OPTIONS, type ResolveAnswer, type ResolveArgs, readArgs } from "./args.ts";
import { createProgress, type Progress } from "./progress.ts";
import { answerJson, exitCodeOf, summary } from "./summary.ts";

/** What a run is watched and ended by. */
export interface ResolveContext extends Pick<CliContext, "signal" | "progress"> {
  readonly watcher: Omit<Progress, "stop" | "aside">;
  /** Has the person in front of the terminal say yes or no; absent where nobody sits there. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined;
}

/** What the command needs of the world. */
export interface ResolveServices {
  /** Runs it to its end. Throws a MagisError for whatever keeps it from being begun. */
  resolve(args: ResolveArgs, context: ResolveContext): Promise<ResolveAnswer>;
  /** Throws a MagisError when the file could not be written. Nothing is written yet. */
  checkFile(file: string): Promise<void>;
  /** Throws a MagisError when it cannot be written. */
  write(file: string, content: string | Uint8Array): Promise<void>;
  /** Reads a yes, or anything else, from the terminal that standard input is; absent where it is none. */
  readonly confirm?: (question: string, context: Pick<CliContext, "signal" | "progress">) => Promise<boolean>;
  /** What stands on standard input, to its end. */
  readInput(context: Pick<CliContext, "signal" | "progress">): Promise<string>;
  /** Keeps the run for `magis show`; gives why it could not, in a sentence. */
  keepRun(report: RunReport): Promise<string | undefined>;
  /** Shows a run's page in the browser; gives a sentence that says where it is. */
  openReport(report: RunReport): Promise<string>;
}

/**
 * `magis resolve`: from an issue to a patch, a dry run unless `--open-pr` is given. What programs read (the patch, or
 * JSON) goes to standard output, what people read to standard error. `open` is called once the command line has been
 * found right.
 */
export function createResolveCommand(open: () => Promise<ResolveServices>): CliCommand<typeof RESOLVE_OPTIONS> {
  return {
    name: "resolve",
    description: "resolve an issue: print the patch, or open a pull request",
    operand: { name: "OWNER/REPO#N", description: "the issue, also by its address", required: false },
    usage: "OWNER/REPO#N | --repo PATH --issue FILE",
    options: RESOLVE_OPTIONS,
    async run(input, context) {
      const args = readArgs(input);
      if ("fault" in args) return { exitCode: 2, text: args.fault };
      const { patch, record, prints } = args.outputs;
      try {
        const services = await open();
        for (const file of [patch, record]) if (file !== undefined) await services.checkFile(file);
        return await report(await watched(services, args, context), args, services, context);
      } catch (error) {
        if (prints !== "JSON" || !isMagisError(error) || context.signal.aborted) throw error;
        const { code, message } = error;
        const output = `${JSON.stringify({ kind: "failed", exitCode: 1, code, message }, undefined, 2)}\n`;
        return { exitCode: 1, text: message, output };
      }
    },
  };
}

async function watched(services: ResolveServices, args: ResolveArgs, context: CliContext): Promise<ResolveAnswer> {
  const { signal, progress } = context;
  const { issue } = args;
  const isTyped = issue.kind === "file" && issue.file === "-";
  const given = isTyped ? { ...args, issue: { ...issue, text: await services.readInput(context) } } : args;
  const watcher = createProgress(context);
  const { confirm } = services;
  // Somebody sits there where both ends are a terminal.
  const ask = confirm && context.live && ((question: string) => watcher.aside(() => confirm(question, context)));
  try {
    return await services.resolve(given, { signal, progress, watcher, ask });
  } finally {
    watcher.stop();
  }
}

/** By what `magis show` finds a run. */
const nameOf = ({ id, repository, number }: RunReport) => (number === undefined ? id : `${repository}#${number}`);

/** Writes, keeps and prints what was asked for. */
async function report(
  answer: ResolveAnswer,
  { until, outputs }: ResolveArgs,
  services: ResolveServices,
  { progress }: Pick<CliContext, "progress">,
): Promise<CliResult> {
  const { report: made, patch } = answer;
  const { patch: file, record, open, keep } = outputs;
  const written: string[] = [];
  if (record !== undefined) {
    await services.write(record, `${JSON.stringify(made, undefined, 2)}\n`);
    written.push(`The run's record is in ${record}: magis show ${record}`);
  }
  if (file !== undefined && patch.length > 0) {
    await services.write(file, patch);
    written.push(`The patch is in ${file}: git apply ${file}`);
  }
  // Of a run that was refused before it began there is nothing to be shown.
  if (keep && made.state)
    written.push((await services.keepRun(made)) ?? `How it came about: magis show ${nameOf(made)}`);
  if (open) written.push(await services.openReport(made));
  progress(summary({ ...answer, notes: [...answer.notes, ...written] }));
  const exitCode = exitCodeOf(answer);
  if (outputs.prints === "JSON") return { exitCode, text: "", output: answerJson(answer) };
  const prints = file === undefined && until !== "pull request" && patch.length > 0;
  return { exitCode, text: "", output: prints ? patch : undefined };
}
