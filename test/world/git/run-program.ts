import { spawn, spawnSync } from "node:child_process";

/** A program to run, with all of its standard input. */
interface Task {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string | Uint8Array;
}

/** The exit code and all output. */
interface Ended {
  readonly code: number | null;
  readonly out: Buffer;
  readonly err: Buffer;
}

/** Runs a program to its end. Rejects when it cannot be started. */
export function runProgram({ command, args, cwd, env, input }: Task): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...env } });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.on("error", reject);
    child.stdin.on("error", () => undefined); // it may end before reading everything; its exit code decides
    child.stdin.end(input);
    child.on("close", (code) => resolve({ code, out: Buffer.concat(out), err: Buffer.concat(err) }));
  });
}

/** Runs a program and waits for its end. Throws when it cannot be started or its exit code is not 0. */
export function runProgramNow({ command, args, cwd, env, input }: Task): Buffer {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: { ...env },
    input,
    maxBuffer: Infinity,
  });
  if (error !== undefined) throw error;
  if (status !== 0) {
    throw Object.assign(new Error(`Command failed: ${[command, ...args].join(" ")}\n${stderr.toString()}`), { status });
  }
  return stdout;
}
