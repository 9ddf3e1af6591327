import { spawn } from "node:child_process";

/** A program to run, with all of its standard input. */
export interface Task {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string | Uint8Array;
}

/** How it ended, with all it wrote; `fault`: it could not be started. */
export interface Ended {
  readonly code: number | null;
  readonly out: Uint8Array;
  readonly err: Uint8Array;
  readonly fault?: string;
}

/** Runs a program to its end. Rejects never. */
function runToEnd({ command, args, cwd, env, input }: Task): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env: { ...env } });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    const end = (code: number | null, fault?: string) =>
      resolve({ code, out: Buffer.concat(out), err: Buffer.concat(err), fault });
    child.on("error", (error) => end(null, error.message));
    child.stdin.on("error", () => undefined); // it may end before it has read everything; its exit code tells
    child.stdin.end(input);
    child.on("close", (code) => end(code));
  });
}

// Begun by `run-program.ts`, as a process of its own, which ends with the one that it works for.
process.on("message", ({ id, task }: { id: number; task: Task }) => {
  void runToEnd(task).then((ended) => process.send?.({ id, ended }));
});
process.once("disconnect", () => process.exit());
