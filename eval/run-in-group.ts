import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** What a program printed and how it ended; -1 when it was killed or could not start. */
export interface ProgramResult {
  code: number;
  output: string;
}

/**
 * Runs a program in a process group of its own and ends the whole group, with all that was left running, when it is
 * over or after `timeoutMs`. This is no sandbox.
 */
export async function runInGroup(
  [program = "", ...args]: readonly string[],
  { folder, environment, timeoutMs }: { folder: string; environment: Record<string, string>; timeoutMs: number },
): Promise<ProgramResult> {
  const child = spawn(program, args, {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const endGroup = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // nothing of the group is left
    }
  };
  const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
  const timer = setTimeout(endGroup, timeoutMs);
  const ended = once(child, "exit").then(
    ([code]: (number | null)[]) => ({ code: code ?? -1, error: "" }),
    (error: unknown) => ({ code: -1, error: `${error}\n` }),
  );
  try {
    // what still runs after the program itself would keep the streams open
    const { code, error } = await ended.finally(endGroup);
    const [out, err] = await outputs;
    return { code, output: `${out}\n${err}${error}` };
  } finally {
    clearTimeout(timer);
  }
}
