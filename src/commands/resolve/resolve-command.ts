import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { promisify } from "node:util";
import { openOwnRuns, ownStateFolder } from "../../app/own-state.ts";
import { isMagisError, MagisError } from "../../data/error.ts";
import type { Log } from "../../data/log.ts";
import { programOf } from "../../git/programs.ts";
import type { RunReport } from "../../run/runs.ts";
import type { CommandConfig } from "../../settings/environment/config.ts";
import { workingEnvFile } from "../../settings/environment/own-env-file.ts";
import {
  type Environment,
  gitEnvironment,
  githubOfEnvironment,
  readCommandConfig,
} from "../../settings/environment/read-config.ts";
import { terminalText } from "../../text/strip-escapes.ts";
import type { CliCommand, CliContext, CliResult } from "../cli-command.ts";
import { type HostedIssue, RESOLVE_OPTIONS, type ResolveAnswer, type ResolveArgs, readArgs } from "./args.ts";
import { confirm, readInput } from "./ask-person.ts";
import { checkWritable, writePrivate } from "./output-files.ts";
import { createProgress } from "./progress.ts";
import { answerJson, exitCodeOf, summary } from "./summary.ts";

/**
 * `magis resolve`: from an issue to a patch; publishes only with `--open-pr`. Output for programs (the patch, or JSON)
 * goes to standard output, text for people to standard error.
 */
export const resolveCommand: CliCommand<typeof RESOLVE_OPTIONS> = {
  usage: "OWNER/REPO#N | --repo PATH --issue FILE",
  examples: ["resolve --repo . --issue bug.md --output fix.patch", "resolve acme/shop#12 --budget 2 --open-pr"],
  options: RESOLVE_OPTIONS,
  async run(input, context) {
    const args = readArgs(input);
    if ("fault" in args) return { exitCode: 2, text: args.fault };
    const { output: patch, record, json } = args.options;
    try {
      for (const file of [patch, record]) if (file !== undefined) await checkWritable(file);
      return await report(await resolve(args, context), args, context);
    } catch (error) {
      if (!json || !isMagisError(error) || context.signal.aborted) throw error;
      const { code, message } = error;
      const output = `${JSON.stringify({ kind: "failed", exitCode: 1, code, message }, undefined, 2)}\n`;
      return { exitCode: 1, text: message, output };
    }
  },
};

/** Runs to the end, and shows how it gets on. Throws a MagisError when the run cannot begin. */
async function resolve(args: ResolveArgs, context: CliContext): Promise<ResolveAnswer> {
  const { issue } = args;
  const { environment, signal, progress, live, stdin } = context;
  const isTyped = issue.kind === "file" && issue.file === "-";
  const given = isTyped ? { ...issue, text: await readInput(context) } : issue;
  const watcher = createProgress(context);
  try {
    const envFile = workingEnvFile(environment, ownStateFolder(environment));
    const read = readCommandConfig(args.variables, envFile, environment, progress);
    const config = await withToken(read, issue, context);
    // A person is there when both ends are a terminal.
    const ask = stdin.isTTY && live && ((question: string) => watcher.aside(() => confirm(question, context)));
    const work = {
      args,
      config,
      environment,
      log: quietLog(context),
      signal,
      progress,
      watcher,
      ask: ask || undefined,
    };
    if (given.kind === "file") return await (await import("./resolve-file.ts")).resolveFile(given, work);
    checkHosted(args, given, config);
    return await (await import("./resolve-hosted.ts")).resolveHosted(given, work);
  } finally {
    watcher.stop();
  }
}

/** The run's end says what went wrong, and warnings after an interruption are only its consequences. */
const quietLog = ({ log, signal }: CliContext): Log => ({
  info: log.info,
  warn: (data, message) => (signal.aborted ? undefined : log.warn(data, withReason(data, message))),
  error: () => undefined,
});

function withReason(data: object, message: string): string {
  const reason = "error" in data && isMagisError(data.error) ? `: ${data.error.message}` : "";
  return terminalText(`    ${message}${reason}`).replaceAll("\n", " ");
}

const GH_MS = 5_000;

/** Adds the GitHub CLI's token for this host to the configuration if none is set and one is useful. */
async function withToken(
  config: CommandConfig,
  issue: ResolveArgs["issue"],
  { environment, signal, progress }: CliContext,
): Promise<CommandConfig> {
  const { token, webUrl } = config.github;
  const isThere = issue.kind === "hosted" || issue.repository.startsWith(`${webUrl}/`);
  if (token !== undefined || !isThere || githubOfEnvironment(environment) !== webUrl) return config;
  const { host } = new URL(webUrl);
  // So that no system searches the current folder for programs.
  const options = {
    cwd: homedir(),
    env: gitEnvironment(environment),
    timeout: GH_MS,
    killSignal: "SIGKILL",
    signal,
  } as const;
  const said = await promisify(execFile)(
    programOf("gh", environment),
    ["auth", "token", "--hostname", host],
    options,
  ).catch(() => undefined);
  const found = said?.stdout.trim() ?? "";
  // Anything else is not a token, whatever program this is.
  if (!/^[\w.-]{8,1000}$/.test(found)) return config;
  progress(`GITHUB_TOKEN is not set: using the token that the GitHub CLI has for ${host} (gh auth token).`);
  return { ...config, github: { ...config.github, token: found } };
}

/** Throws CONFIGURATION_INVALID when the issue is on another host, or a pull request is wanted without a token. */
function checkHosted({ options }: ResolveArgs, { owner, name, origin }: HostedIssue, { github }: CommandConfig): void {
  const { token, webUrl } = github;
  if (origin !== undefined && origin !== new URL(webUrl).origin) {
    const message = `The issue is on ${origin}, but commands work with ${webUrl}: set GHE_HOST (and GHE_PROTOCOL).`;
    throw new MagisError("CONFIGURATION_INVALID", message);
  }
  if (token !== undefined || !options["open-pr"]) return;
  const message = `GITHUB_TOKEN is missing: set it to a token that may write to ${owner}/${name}. Or log in with the GitHub CLI, gh auth login: its token is used where GitHub's address comes from no file.`;
  throw new MagisError("CONFIGURATION_INVALID", message);
}

/** The name by which `magis show` finds a run. */
const nameOf = ({ id, repository, number }: RunReport) => (number === undefined ? id : `${repository}#${number}`);

/** Writes, stores and prints the requested outputs. */
async function report(
  answer: ResolveAnswer,
  { options }: ResolveArgs,
  { environment, progress }: CliContext,
): Promise<CliResult> {
  const { report: made, patch } = answer;
  const { output: file, record, open, json } = options;
  const written: string[] = [];
  if (record !== undefined) {
    await writePrivate(record, `${JSON.stringify(made, undefined, 2)}\n`);
    written.push(`The run's record is in ${record}: magis show ${record}`);
  }
  if (file !== undefined && patch.length > 0) {
    await writePrivate(file, patch);
    written.push(`The patch is in ${file}: git apply ${file}`);
  }
  // A run that was refused before it began has nothing to show.
  if (!options["no-keep"] && made.state)
    written.push((await keepRun(made, environment)) ?? `How it came about: magis show ${nameOf(made)}`);
  if (open) written.push(await (await import("../show/open-page.ts")).openReport(made));
  progress(summary({ ...answer, notes: [...answer.notes, ...written] }));
  const exitCode = exitCodeOf(answer);
  if (json) return { exitCode, text: "", output: answerJson(answer) };
  const prints = file === undefined && !options["open-pr"] && patch.length > 0;
  return { exitCode, text: "", output: prints ? patch : undefined };
}

/** Keeps the run for `magis show`; gives a sentence when it could not. */
async function keepRun(report: RunReport, environment: Environment): Promise<string | undefined> {
  try {
    const runs = openOwnRuns(environment, () => undefined);
    await runs?.keep(report);
    return runs ? undefined : "magis show cannot keep this run: there is no home directory.";
  } catch (error) {
    return `Could not keep the run for magis show: ${(error as Error).message}.`;
  }
}
