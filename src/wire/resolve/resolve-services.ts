import { execFile } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:fs";
import { access, lstat, open as openFile, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { addAbortSignal } from "node:stream";
import { promisify } from "node:util";
import { programOf } from "../../adapters/programs.ts";
import type { CommandPlace } from "../../cli/cli-command.ts";
import type { HostedIssue, ResolveArgs } from "../../cli/resolve/args.ts";
import type { ResolveContext, ResolveServices } from "../../cli/resolve/resolve-command.ts";
import { terminalText } from "../../cli/terminal-text.ts";
import type { CommandConfig } from "../../config/environment/config.ts";
import { workingEnvFile } from "../../config/environment/own-env-file.ts";
import {
  type Environment,
  gitEnvironment,
  githubOfEnvironment,
  readCommandConfig,
} from "../../config/environment/read-config.ts";
import { isMagisError, MagisError } from "../../model/error.ts";
import { fileFault } from "../../model/file-faults.ts";
import { DEFAULT_PRICES } from "../../model/prices.ts";
import type { Log } from "../../ports/log.ts";
import { openOwnRuns, ownStateFolder } from "../own-state.ts";

/** What `magis resolve` needs: configuration, model, git, and a token for issues on GitHub. */
export function resolveServices(
  { environment, stdin }: Pick<CommandPlace, "environment" | "stdin">,
  log: Log,
): ResolveServices {
  return {
    async resolve(args, context) {
      const { issue } = args;
      const read = readCommandConfig(
        DEFAULT_PRICES,
        args.variables,
        workingEnvFile(environment, ownStateFolder(environment)),
        environment,
        context.progress,
      );
      const config = await withToken(read, issue, environment, context);
      // Errors after an interruption are only its consequences.
      const quiet: Log = {
        info: (...said) => log.info(...said),
        warn: (data, message) => (context.signal.aborted ? undefined : log.warn(data, withReason(data, message))),
        // The run's end says what went wrong.
        error: () => undefined,
      };
      const work = { args, config, environment, log: quiet, ...context };
      if (issue.kind === "file") return (await import("./resolve-file.ts")).resolveFile(issue, work);
      checkHosted(args, issue, config);
      return (await import("./resolve-hosted.ts")).resolveHosted(issue, work);
    },
    async checkFile(file) {
      try {
        const there = await stat(file).catch(() => undefined);
        if (there?.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
        await access(there ? file : path.dirname(path.resolve(file)), constants.W_OK);
      } catch (error) {
        throw notWritten(file, error);
      }
      await refuseLinks(file);
    },
    async write(file, content) {
      try {
        await writePrivate(file, content);
      } catch (error) {
        throw isMagisError(error) ? error : notWritten(file, error);
      }
    },
    confirm: stdin.isTTY ? (question, context) => confirm(question, stdin, context) : undefined,
    readInput: (context) => readInput(stdin, context),
    async keepRun(report) {
      try {
        const runs = openOwnRuns(environment, () => undefined);
        await runs?.keep(report);
        return runs ? undefined : "magis show cannot keep this run: there is no home directory.";
      } catch (error) {
        return `Could not keep the run for magis show: ${(error as Error).message}.`;
      }
    },
    openReport: async (report) => (await import("../open-page.ts")).openReport(report),
  };
}

/** Whether the next typed line says yes. */
async function confirm(
  question: string,
  stdin: CommandPlace["stdin"],
  { signal, progress }: Pick<ResolveContext, "signal" | "progress">,
): Promise<boolean> {
  progress(`${terminalText(question)} [y/N]`);
  const lines = createInterface({ input: stdin, terminal: false });
  try {
    const ended = once(lines, "close", { signal }).then(() => [""]);
    const [answer] = await Promise.race([once(lines, "line", { signal }), ended]);
    return /^\s*y(?:es)?\s*$/i.test(String(answer));
  } finally {
    lines.close();
  }
}

/** Longer input is not an issue. */
const MAX_INPUT = 1_000_000;

async function readInput(
  stdin: CommandPlace["stdin"],
  { signal, progress }: Pick<ResolveContext, "signal" | "progress">,
): Promise<string> {
  if (stdin.isTTY) progress("Write the issue with its title on the first line. End with Ctrl-D on a line of its own.");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(signal, stdin)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_INPUT) throw new MagisError("CONFIGURATION_INVALID", "Standard input is too long for an issue.");
  }
  return Buffer.concat(chunks).toString("utf8");
}

const GH_MS = 5_000;

/** Adds the GitHub CLI's token for this host to the configuration if none is set and one is useful. */
async function withToken(
  config: CommandConfig,
  issue: ResolveArgs["issue"],
  environment: Environment,
  { signal, progress }: Pick<ResolveContext, "signal" | "progress">,
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
function checkHosted({ until }: ResolveArgs, { owner, name, origin }: HostedIssue, { github }: CommandConfig): void {
  const { token, webUrl } = github;
  if (origin !== undefined && origin !== new URL(webUrl).origin) {
    const message = `The issue is on ${origin}, but commands work with ${webUrl}: set GHE_HOST (and GHE_PROTOCOL).`;
    throw new MagisError("CONFIGURATION_INVALID", message);
  }
  if (token !== undefined || until !== "pull request") return;
  const message = `GITHUB_TOKEN is missing: set it to a token that may write to ${owner}/${name}. Or log in with the GitHub CLI, gh auth login: its token is used where GitHub's address comes from no file.`;
  throw new MagisError("CONFIGURATION_INVALID", message);
}

/** Only the owner may read and write. */
const PRIVATE = 0o600;

/** Writes a file for its owner alone, also over an existing public one: a record holds an issue, code and answers. */
async function writePrivate(file: string, content: string | Uint8Array): Promise<void> {
  await refuseLinks(file);
  const handle = await openFile(file, "w", PRIVATE);
  try {
    // A terminal or a pipe keeps its permissions.
    if ((await handle.stat()).isFile()) await handle.chmod(PRIVATE);
    await handle.writeFile(content);
  } finally {
    await handle.close();
  }
}

/**
 * Refuses links out of the working directory: a checkout may hold one, under a name that people are likely to use. A
 * path below the working directory must really lead there. Ignores terminals and pipes. Throws CONFIGURATION_INVALID.
 */
async function refuseLinks(file: string): Promise<void> {
  const named = path.resolve(file);
  const here = path.resolve();
  if (!named.startsWith(`${here}${path.sep}`)) return;
  const target = await stat(named).catch(() => undefined);
  if (target !== undefined && !target.isFile()) return;
  const folder = await realpath(path.dirname(named)).catch(() => undefined);
  const isLink = (await lstat(named).catch(() => undefined))?.isSymbolicLink() === true;
  const lies = folder === undefined ? undefined : path.join(folder, path.basename(named));
  if (!isLink && (lies === undefined || lies === path.join(await realpath(here), path.relative(here, named)))) return;
  const message = `${file} leads out of its folder by a link: name another file.`;
  throw new MagisError("CONFIGURATION_INVALID", message);
}

function withReason(data: object, message: string): string {
  const reason = "error" in data && isMagisError(data.error) ? `: ${data.error.message}` : "";
  return terminalText(`    ${message}${reason}`).replaceAll("\n", " ");
}

function notWritten(file: string, error: unknown): MagisError {
  const message = `${file} cannot be written: ${fileFault(error)}. Name another file.`;
  return new MagisError("CONFIGURATION_INVALID", message, {}, error);
}
