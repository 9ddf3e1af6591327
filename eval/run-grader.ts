import { spawn } from "node:child_process";
import { once } from "node:events";
import { endGroup } from "../src/checks/local/run-command.ts";
import { MagisError } from "../src/data/error.ts";
import { atExit } from "../src/git/at-exit.ts";
import { programOf } from "../src/git/programs.ts";
import { listed } from "../src/text/patterns.ts";

/**
 * The variables that a grader gets: what programs, languages and containers need to find their files. It runs what a
 * model wrote, so it gets no others.
 */
const ALLOWED = listed(
  "^",
  String.raw`
  PATH HOME USER LOGNAME SHELL TERM LANG LC_\w+ TZ TMPDIR TMP TEMP
  USERPROFILE SYSTEMROOT COMSPEC PATHEXT LD_LIBRARY_PATH XDG_\w+_(?:HOME|DIR)
  VIRTUAL_ENV CONDA_(?:PREFIX|DEFAULT_ENV) PYTHON(?:PATH|HOME|UNBUFFERED) JAVA_HOME GOPATH GOROOT
  DOCKER_HOST DOCKER_CONFIG HF_HOME SWEBENCH_\w+`,
  "$",
  "i",
);

/** How long a grader may take to clean up. */
const PATIENCE_MS = 5_000;

interface GraderFiles {
  predictions: string;
  instances: string;
  results: string;
}

/**
 * Runs a grading command in a shell, with `{predictions}`, `{instances}` and `{results}` replaced by the quoted paths,
 * and gives its exit code. Its output goes to standard error. When the signal fires, it ends with all its processes.
 */
export function createRunGrader(environment: Readonly<Record<string, string | undefined>>) {
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => ALLOWED.test(name)));
  const shell = programOf("sh", environment);
  return async (command: string, files: GraderFiles, signal: AbortSignal): Promise<number> => {
    const filled = command.replace(/\{(predictions|instances|results)\}/g, (_, name: keyof GraderFiles) =>
      quoted(files[name]),
    );
    // A group of its own, so that its children end with it.
    const child = spawn(shell, ["-c", filled], { env, stdio: ["ignore", 2, 2], detached: true });
    const endBy = (how: "SIGTERM" | "SIGKILL"): void => {
      if (child.pid !== undefined) endGroup(child.pid, how);
    };
    let patience: NodeJS.Timeout | undefined;
    const end = (): void => {
      endBy("SIGTERM");
      patience = setTimeout(() => endBy("SIGKILL"), PATIENCE_MS);
    };
    const gone = atExit(() => endBy("SIGKILL"));
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
      gone();
      clearTimeout(patience);
      signal.removeEventListener("abort", end);
    }
  };
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
