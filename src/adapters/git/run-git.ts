import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

export type GitEnvironment = Readonly<Record<string, string | undefined>>;

export interface GitEnd {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** Runs git and gives what it says, whatever its exit code. Rejects when there is no git. */
export async function runGit(words: readonly string[], environment: GitEnvironment, input = ""): Promise<GitEnd> {
  const child = spawn("git", ["-c", "core.quotePath=false", ...words], {
    env: { ...environment, GIT_NO_LAZY_FETCH: "1", LC_ALL: "C" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  // A git that has read enough closes its input; its exit code says the rest.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const closed = once(child, "close") as Promise<[number | null]>;
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { exitCode: code ?? 1, out, err };
}
