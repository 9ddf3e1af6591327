import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** A process that this one started. */
export interface OwnProcess {
  pid: number;
  /** the line that was waited for */
  line: string;
  /** SIGTERM; resolves when it is gone */
  stop(): Promise<void>;
}

export interface ProcessOptions {
  environment: Readonly<Record<string, string | undefined>>;
  /** the line of its output that says it is ready */
  ready: RegExp;
  user?: { uid: number; gid: number };
}

/** Lines kept for the error when it does not start. */
const KEPT_LINES = 20;

/** Starts a program and waits for its first line that matches `ready`. What it prints afterwards is thrown away. */
export async function startProcess(
  command: readonly string[],
  { environment, ready, user }: ProcessOptions,
): Promise<OwnProcess> {
  const [program = "", ...words] = command;
  const child = spawn(program, words, { env: { ...environment }, stdio: ["ignore", "pipe", "pipe"], ...user });
  const kept: string[] = [];
  const line = await new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`${command.join(" ")} ended with ${code}:\n${kept.join("\n")}`)));
    for (const stream of [child.stdout, child.stderr]) {
      const lines = createInterface({ input: stream });
      lines.on("line", (text) => {
        kept.push(text);
        if (kept.length > KEPT_LINES) kept.shift();
        if (!ready.test(text)) return;
        resolve(text);
      });
    }
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.removeAllListeners("data");
    stream.resume();
  }
  return { pid: child.pid ?? 0, line, stop: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}

const TICKS_A_SECOND = 100;

const PAGE_BYTES = 4_096;

/** Seconds of computing of a process so far, on Linux; NaN elsewhere. */
export function computingOf(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

/** Seconds of computing of a process and all below it, ended ones included, on Linux. */
export function computingOfAll(pid: number): number {
  const fields = statOf(pid);
  const ended = (Number(fields[13]) + Number(fields[14])) / TICKS_A_SECOND;
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(statOf(Number(name))[1]) === pid);
  return computingOf(pid) + ended + children.reduce((sum, child) => sum + (computingOfAll(Number(child)) || 0), 0);
}

/** The fields of /proc/PID/stat from the state on, which follows the name in brackets. */
function statOf(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

/** Megabytes resident now, on Linux; NaN elsewhere. */
export function residentMb(pid: number): number {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * PAGE_BYTES) / 1024 ** 2;
  } catch {
    return Number.NaN;
  }
}
