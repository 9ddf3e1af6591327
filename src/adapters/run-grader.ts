import { spawn } from "node:child_process";
import { once } from "node:events";
import { MagisError } from "../model/error.ts";

/** Names of variables that a grader, which runs what a model wrote, has no business with. */
const SECRETS = /^(ANTHROPIC_.*|GITHUB_TOKEN|GH_TOKEN|PRIVATE_KEY(_PATH)?|WEBHOOK_SECRET|DATABASE_URL|MAGIS_.*)$/;

interface GraderFiles {
  readonly predictions: string;
  readonly instances: string;
  readonly results: string;
}

/**
 * Runs a grading command in a shell, with `{predictions}`, `{instances}` and `{results}` in it replaced by the quoted
 * paths. What it prints goes to standard error. Its environment has none of our secrets. Gives its exit code; when the
 * signal fires, it and the processes that it has started are ended.
 */
export function createRunGrader(environment: Readonly<Record<string, string | undefined>>) {
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !SECRETS.test(name)));
  return async (command: string, files: GraderFiles, signal: AbortSignal): Promise<number> => {
    const filled = command.replace(/\{(predictions|instances|results)\}/g, (_, name: keyof GraderFiles) =>
      quoted(files[name]),
    );
    // A group of its own, so that what it starts can be ended with it.
    const child = spawn("sh", ["-c", filled], { env, stdio: ["ignore", 2, 2], detached: true });
    const end = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
      } catch {
        // It has ended by itself.
      }
    };
    signal.addEventListener("abort", end, { once: true });
    try {
      const [code] = (await once(child, "close")) as [number | null];
      return code ?? 1;
    } catch (error) {
      throw new MagisError(
        "CONFIGURATION_INVALID",
        "The grading command could not be started: there is no sh.",
        {},
        error,
      );
    } finally {
      signal.removeEventListener("abort", end);
    }
  };
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
