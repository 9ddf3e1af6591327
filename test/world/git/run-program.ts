import { fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";

/** A program to run, with all of its standard input. */
interface Task {
  command: string;
  args: readonly string[];
  cwd?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  input: string | Uint8Array;
}

/** The exit code and all output. */
interface Ended {
  code: number | null;
  out: Buffer;
  err: Buffer;
}

let start = startHere;

/** Runs a program to its end. Rejects when it cannot be started. */
export const runProgram = (task: Task): Promise<Ended> => start(task);

/**
 * From now on a small process starts the programs. To start one, Linux copies the tables of all memory that the
 * starting process has; under load that was a third of the computing of the whole world. The process ends with this
 * one, or by `stop`.
 */
export function startBySmallProcess(): { stop(): Promise<void> } {
  const child = fork(join(projectRoot(), "test", "world", "git", "program-starter.js"), { serialization: "advanced" });
  const asked = new Map<number, { end(ended: Ended): void; fail(error: Error): void }>();
  let last = 0;
  child.on("message", ({ id, ended, failed }: { id: number; ended?: Ended; failed?: string }) => {
    if (ended) asked.get(id)?.end(ended);
    else asked.get(id)?.fail(new Error(failed));
    asked.delete(id);
  });
  child.on("exit", () => {
    for (const { fail } of asked.values()) fail(new Error("the process that starts programs has ended"));
    asked.clear();
  });
  start = (task) =>
    new Promise((end, fail) => {
      last += 1;
      asked.set(last, { end, fail });
      child.send({ id: last, task }, (error) => error && fail(error));
    });
  return {
    async stop() {
      start = startHere;
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

function startHere({ command, args, cwd, env, input }: Task): Promise<Ended> {
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
