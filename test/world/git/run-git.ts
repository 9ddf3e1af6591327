import { runProgram } from "./run-program.ts";

export interface GitRun {
  cwd?: string;
  input?: string | Uint8Array;
  env?: Record<string, string>;
}

/** What git sees: none of the user's configuration. */
export function gitEnvironment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: "A Developer",
    GIT_AUTHOR_EMAIL: "developer@example.test",
    GIT_COMMITTER_NAME: "A Developer",
    GIT_COMMITTER_EMAIL: "developer@example.test",
    ...more,
  };
}

/**
 * Runs git without the user's configuration and gives its standard output as bytes.
 * Throws an Error with git's message if the exit code is not 0.
 */
export async function runGit(args: string[], { cwd, input = "", env = {} }: GitRun = {}): Promise<Buffer> {
  const { code, out, err } = await runProgram({
    command: "git",
    args,
    cwd,
    input,
    env: gitEnvironment(env),
  });
  if (code !== 0) throw new Error(`git ${args.join(" ")} (${code}): ${Buffer.from(err).toString().trim()}`);
  return Buffer.from(out);
}
