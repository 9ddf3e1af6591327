import { isMagisError } from "../../model/error.ts";
import type { RunReport } from "../../ports/runs.ts";
import type { CliCommand, CliContext, CliResult } from "../cli-command.ts";
import { RESOLVE_OPTIONS, type ResolveAnswer, type ResolveArgs, readArgs } from "./args.ts";
import { createProgress, type Progress } from "./progress.ts";
import { answerJson, exitCodeOf, summary } from "./summary.ts";

/** How a run reports progress, asks the person, and is interrupted. */
export interface ResolveContext extends Pick<CliContext, "signal" | "progress"> {
  readonly watcher: Omit<Progress, "stop" | "aside">;
  /** Asks the person at the terminal a yes-or-no question; absent when nobody is there. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined;
}

/** What the command needs from its environment. */
export interface ResolveServices {
  /** Runs to the end. Throws a MagisError when the run cannot begin. */
  resolve(args: ResolveArgs, context: ResolveContext): Promise<ResolveAnswer>;
  /** Throws a MagisError when the file would not be writable. Writes nothing. */
  checkFile(file: string): Promise<void>;
  /** Throws a MagisError when the file cannot be written. */
  write(file: string, content: string | Uint8Array): Promise<void>;
  /** Asks on the terminal; true for a yes. Absent when standard input is not a terminal. */
  readonly confirm?: (question: string, context: CliContext) => Promise<boolean>;
  /** Reads standard input to its end. */
  readInput(context: CliContext): Promise<string>;
  /** Stores the run for `magis show`; gives a sentence when it could not. */
  keepRun(report: RunReport): Promise<string | undefined>;
  /** Opens a run's page in the browser; gives a sentence that says where it is. */
  openReport(report: RunReport): Promise<string>;
}

/**
 * `magis resolve`: from an issue to a patch; publishes only with `--open-pr`. Output for programs (the patch, or JSON)
 * goes to standard output, text for people to standard error. Calls `open` once the command line is valid.
 */
export function createResolveCommand(open: () => Promise<ResolveServices>): CliCommand<typeof RESOLVE_OPTIONS> {
  return {
    name: "resolve",
    description: "resolve an issue: print the patch, or open a pull request",
    operand: { name: "OWNER/REPO#N", description: "the issue, also by its address", required: false },
    usage: "OWNER/REPO#N | --repo PATH --issue FILE",
    examples: ["resolve --repo . --issue bug.md --output fix.patch", "resolve acme/shop#12 --budget 2 --open-pr"],
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
  // A person is present when both ends are a terminal.
  const ask = confirm && context.live && ((question: string) => watcher.aside(() => confirm(question, context)));
  try {
    return await services.resolve(given, { signal, progress, watcher, ask });
  } finally {
    watcher.stop();
  }
}

/** The name by which `magis show` finds a run. */
const nameOf = ({ id, repository, number }: RunReport) => (number === undefined ? id : `${repository}#${number}`);

/** Writes, stores and prints the requested outputs. */
async function report(
  answer: ResolveAnswer,
  { until, outputs }: ResolveArgs,
  services: ResolveServices,
  { progress }: CliContext,
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
  // A run that was refused before it began has nothing to show.
  if (keep && made.state)
    written.push((await services.keepRun(made)) ?? `How it came about: magis show ${nameOf(made)}`);
  if (open) written.push(await services.openReport(made));
  progress(summary({ ...answer, notes: [...answer.notes, ...written] }));
  const exitCode = exitCodeOf(answer);
  if (outputs.prints === "JSON") return { exitCode, text: "", output: answerJson(answer) };
  const prints = file === undefined && until !== "pull request" && patch.length > 0;
  return { exitCode, text: "", output: prints ? patch : undefined };
}
