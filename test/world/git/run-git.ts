import { spawn } from "node:child_process";

export interface GitRun {
  cwd?: string;
  input?: string | Uint8Array;
  env?: Record<string, string>;
}

/**
 * Runs git apart from the user's own configuration and gives its standard output as bytes.
 * Throws an Error with git's own words when it exits with anything but 0.
 */
export function runGit(args: string[], { cwd, input, env = {} }: GitRun = {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, {
      cwd,
      env: {
        PATH: process.env.PATH,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_TERMINAL_PROMPT: "0",
        GIT_AUTHOR_NAME: "A Developer",
        GIT_AUTHOR_EMAIL: "developer@example.test",
        GIT_COMMITTER_NAME: "A Developer",
        GIT_COMMITTER_EMAIL: "developer@example.test",
        ...env,
      },
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.on("error", reject);
    child.stdin.on("error", () => undefined); // git may end before it has read everything; its exit code tells
    child.stdin.end(input);
    child.on("close", (code) => {
      if (code === 0) resolve(Buffer.concat(out));
      else reject(new Error(`git ${args.join(" ")} (${code}): ${Buffer.concat(err).toString().trim()}`));
    });
  });
}
