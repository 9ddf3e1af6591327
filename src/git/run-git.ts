import { spawn } from "node:child_process";
import { MagisError } from "../data/error.ts";
import { type GitEnvironment, NEUTRAL_SETTINGS, neutralEnvironment } from "./neutral-git.ts";
import { programOf } from "./programs.ts";

/** How the installed git is called. */
export interface GitCall {
  args: readonly string[];
  environment: GitEnvironment;
  /** the repository's directory, or one within its working copy; absent: `args` name it */
  directory?: string;
  input?: string;
  signal?: AbortSignal;
}

const MAX_MESSAGE = 2_000;

/**
 * Runs git, hands its output to `take` as it comes, and gives its exit code and what it wrote to standard error.
 * Throws GIT_NOT_FOUND when there is no git, RUN_CANCELLED when the signal fires, and what `take` throws.
 */
export async function runGit(
  { args, environment, directory, input = "", signal }: GitCall,
  take: (bytes: Buffer) => void,
): Promise<{ code: number; message: string }> {
  const place = directory === undefined ? [] : ["-C", directory];
  const child = spawn(programOf("git", environment), [...place, ...NEUTRAL_SETTINGS, ...args], {
    env: neutralEnvironment(environment),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const stop = () => void child.kill();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const ended = new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve(code ?? -1));
    });
    ended.catch(() => undefined);
    let message = "";
    child.stderr.on("data", (bytes: Buffer) => {
      message = `${message}${bytes}`.slice(0, MAX_MESSAGE);
    });
    // A git that has read enough closes its input; its exit code says the rest.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    for await (const bytes of child.stdout) take(bytes as Buffer);
    const code = await ended;
    if (signal?.aborted) throw cancelled();
    return { code, message: message.trim() };
  } catch (error) {
    if (signal?.aborted) throw cancelled();
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    const message = "git could not be started: install it, it is needed to read a local repository.";
    throw new MagisError("GIT_NOT_FOUND", message, {}, error);
  } finally {
    signal?.removeEventListener("abort", stop);
    child.kill();
  }
}

const cancelled = () => new MagisError("RUN_CANCELLED", "The run was cancelled.");

/** Runs git and gives all its output, without blanks around it. Throws as `runGit`. */
export async function readGit(call: GitCall) {
  const pieces: Buffer[] = [];
  const { code, message } = await runGit(call, (bytes) => void pieces.push(bytes));
  return { code, message, text: Buffer.concat(pieces).toString("utf8").trim() };
}
