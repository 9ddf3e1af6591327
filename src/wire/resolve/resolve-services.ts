import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, open as openFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { addAbortSignal } from "node:stream";
import { promisify } from "node:util";
import type { ResolveArgs } from "../../cli/resolve/args.ts";
import type { ResolveContext, ResolveServices } from "../../cli/resolve/resolve-command.ts";
import { terminalText } from "../../cli/terminal-text.ts";
import type { CommandConfig } from "../../config/environment/config.ts";
import { gitEnvironment, githubOfEnvironment, readCommandConfig } from "../../config/environment/read-config.ts";
import { isMagisError, MagisError } from "../../model/error.ts";
import { DEFAULT_PRICES } from "../../model/prices.ts";
import type { Log } from "../../ports/log.ts";
import { resolveFile } from "./resolve-file.ts";
import { resolveHosted } from "./resolve-hosted.ts";

/** What `magis resolve` needs: the configuration, the model, git, and for issues of GitHub a token. */
export function resolveServices(log: Log): ResolveServices {
  return {
    async resolve(args, context) {
      const { issue } = args;
      const read = readCommandConfig(DEFAULT_PRICES, args.variables, ".env", undefined, context.progress);
      const config = await withToken(read, issue, context);
      // What breaks off because the run is interrupted is no fault of anything.
      const quiet: Log = {
        info: (...said) => log.info(...said),
        warn: (data, message) => (context.signal.aborted ? undefined : log.warn(data, withReason(data, message))),
        // The end of the run tells what went wrong.
        error: () => undefined,
      };
      const work = { args, config, log: quiet, ...context };
      return issue.kind === "file" ? resolveFile(issue, work) : resolveHosted(issue, work);
    },
    async checkFolder(file) {
      const folder = path.dirname(path.resolve(file));
      await access(folder, constants.W_OK).catch((error: unknown) => {
        throw notWritten(file, error);
      });
    },
    async write(file, content) {
      try {
        await writePrivate(file, content);
      } catch (error) {
        throw notWritten(file, error);
      }
    },
    readInput,
    openReport: async (report) => (await import("../open-page.ts")).openReport(report),
  };
}

/** More is no issue. */
const MAX_INPUT = 1_000_000;

async function readInput({ signal, progress }: Pick<ResolveContext, "signal" | "progress">): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) progress("Write the issue, its title in the first line; Ctrl-D in a line of its own ends it.");
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

/** The configuration with the GitHub CLI's token where none is set, one is of use, and the CLI has one for this host. */
async function withToken(
  config: CommandConfig,
  issue: ResolveArgs["issue"],
  { signal, progress }: Pick<ResolveContext, "signal" | "progress">,
): Promise<CommandConfig> {
  const { token, webUrl } = config.github;
  const isThere = issue.kind === "hosted" || issue.repository.startsWith(`${webUrl}/`);
  if (token !== undefined || !isThere || githubOfEnvironment() !== webUrl) return config;
  const { host } = new URL(webUrl);
  // Its folder is not searched for programs on any system.
  const options = { cwd: homedir(), env: gitEnvironment(), timeout: GH_MS, killSignal: "SIGKILL", signal } as const;
  const said = await promisify(execFile)("gh", ["auth", "token", "--hostname", host], options).catch(() => undefined);
  const found = said?.stdout.trim() ?? "";
  // Anything else is no token, whatever the program is.
  if (!/^[\w.-]{8,1000}$/.test(found)) return config;
  progress(`GITHUB_TOKEN is not set: using the token that the GitHub CLI has for ${host} (gh auth token).`);
  return { ...config, github: { ...config.github, token: found } };
}

/** Its owner reads and writes it, nobody else. */
const PRIVATE = 0o600;

/** A record holds an issue, code and answers; a file that was there before may have been open to others. */
async function writePrivate(file: string, content: string | Uint8Array): Promise<void> {
  const handle = await openFile(file, "w", PRIVATE);
  try {
    // A terminal or a pipe keeps its rights.
    if ((await handle.stat()).isFile()) await handle.chmod(PRIVATE);
    await handle.writeFile(content);
  } finally {
    await handle.close();
  }
}

function withReason(data: object, message: string): string {
  const reason = "error" in data && isMagisError(data.error) ? `: ${data.error.message}` : "";
  return terminalText(`    ${message}${reason}`).replaceAll("\n", " ");
}

function notWritten(file: string, error: unknown): MagisError {
  const why = (error as NodeJS.ErrnoException).code ?? String(error);
  return new MagisError("CONFIGURATION_INVALID", `${file} cannot be written (${why}): name another file.`, {}, error);
}
