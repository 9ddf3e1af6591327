import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Neither the user's nor the machine's configuration may change what git makes of the same files. */
const SEALED = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
};

/** Runs git in a folder, apart from any configuration but the repository's own; gives its output, rejects as execFile. */
export async function runGit(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)("git", ["-c", "safe.directory=*", ...args], {
    cwd: folder,
    maxBuffer: 2 ** 28,
    env: { PATH: process.env.PATH, ...SEALED, ...environment },
  });
  return stdout;
}
