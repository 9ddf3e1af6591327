import { spawn } from "node:child_process";
import { MagisError } from "../../model/magis-error.ts";

/** How the installed git is called. */
export interface GitCall {
  /** the repository's directory, or one within its working copy */
  readonly directory: string;
  readonly args: readonly string[];
  readonly input?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** Nothing of a repository is changed, run or asked for over the network. */
const CAREFUL = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_TERMINAL_PROMPT: "0",
};
const MAX_WORDS = 2_000;

/**
 * Runs git, hands its output to `take` as it comes, and gives its exit code and what it said on standard error.
 * Throws GIT_NOT_FOUND when there is no git, RUN_CANCELLED when the signal fires, and what `take` throws.
 */
export async function startGit(
  { directory, args, input = "", environment, signal }: GitCall,
  take: (bytes: Buffer) => void,
): Promise<{ readonly code: number; readonly words: string }> {
  const child = spawn("git", ["-C", directory, "-c", "core.fsmonitor=false", ...args], {
    env: { ...environment, ...CAREFUL },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const stop = () => void child.kill();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const ended = new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve(code ?? -1));
    });
    ended.catch(() => undefined);
    let words = "";
    child.stderr.on("data", (bytes: Buffer) => {
      words = `${words}${bytes}`.slice(0, MAX_WORDS);
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    for await (const bytes of child.stdout) take(bytes as Buffer);
    const code = await ended;
    if (signal.aborted) throw cancelled();
    return { code, words: words.trim() };
  } catch (error) {
    if (signal.aborted) throw cancelled();
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    const message = "git could not be started: install it, it is needed to read a local repository.";
    throw new MagisError("GIT_NOT_FOUND", message, {}, error);
  } finally {
    signal.removeEventListener("abort", stop);
    child.kill();
  }
}

const cancelled = () => new MagisError("RUN_CANCELLED", "The run was cancelled.");
