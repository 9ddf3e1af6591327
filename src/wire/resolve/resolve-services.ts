import { constants } from "node:fs";
import { access, open as openFile } from "node:fs/promises";
import path from "node:path";
import { DEFAULT_PRICES } from "../../adapters/anthropic/spend.ts";
import type { ResolveServices } from "../../cli/resolve/resolve-command.ts";
import { terminalText } from "../../cli/terminal-text.ts";
import { readCommandConfig } from "../../config/environment/read-config.ts";
import { isMagisError, MagisError } from "../../model/error.ts";
import type { Log } from "../../ports/log.ts";
import { resolveFile } from "./resolve-file.ts";
import { resolveHosted } from "./resolve-hosted.ts";

/** What `magis resolve` needs: the configuration, the model, git, and for issues of GitHub a token. */
export function resolveServices(log: Log): ResolveServices {
  return {
    async resolve(args, context) {
      const config = readCommandConfig(DEFAULT_PRICES, args.variables, ".env", undefined, context.progress);
      const { issue } = args;
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
  };
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
