import { spawn } from "node:child_process";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { readList } from "../../data/own-files.ts";
import { atExit } from "../../git/at-exit.ts";
import { findProgram, programOf, SYSTEM_FOLDERS, searchPathOf } from "../../git/programs.ts";
import { INFO_FD, type Sandbox, sandboxArguments } from "./sandbox.ts";

/** What a program needs to find its files and its language. It gets no other variable. */
const isAllowed = (name: string) => /^LC_\w+$/i.test(name) || readList("check-variables").includes(name.toUpperCase());

export interface CommandLimits {
  minutes: number;
  /** of each process, and of each of the sandbox's folders in memory */
  memoryMb: number;
  /** in the sandbox; the default is enough for any build */
  threads?: number;
}

export interface CommandRun {
  command: string;
  /** where it runs; in a sandbox, all it may write to. `home` and `tmp` beside it are its own too */
  folder: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** passed besides the allowed variables of the environment */
  variables?: Readonly<Record<string, string>>;
  limits: CommandLimits;
  /** absent: it runs like any program on this machine */
  sandbox?: {
    is: Sandbox;
    /** places of this machine, shown read-only */
    tools: readonly string[];
    /** folders shown read-only elsewhere, by the absolute paths where they appear */
    shown: ReadonlyMap<string, string>;
  };
}

export interface CommandEnd {
  /** null: it was killed */
  code: number | null;
  /** both streams as they came; the end when there is too much */
  output: string;
  seconds: number;
  /** the limit that ended it */
  stopped?: "time" | "disk" | "output" | "cancelled";
}

const MAX_OUTPUT = 16 * 1024 * 1024;

/** The end, for the report. */
const KEPT_OUTPUT = 4 * 1024 * 1024;

const WATCH_MS = 250;

/** How long to wait, after the command has ended, for what holds its output. */
const REST_MS = 1_000;

const MEGABYTE = 1024 * 1024;

/** More than hundreds of compilers, or servers with a thread a request, need. */
const MAX_THREADS = 8_192;

/** Linkers and fixtures write files of hundreds of megabytes. */
const LARGEST_FILE = 1024 * MEGABYTE;

/** Disk space left for others on this machine. */
const LEFT_FREE = 1024 * MEGABYTE;

/**
 * Runs a command in a shell with an allow-list of variables. Ends it and what it started at a limit, when the signal
 * fires, and what is left when it ends by itself: in a sandbox all of it, as one; else its process group. Rejects only
 * when no shell can be started.
 */
export async function runCommand(run: CommandRun, signal: AbortSignal): Promise<CommandEnd> {
  const { folder, limits } = run;
  const scratch = await mkdtemp(`${folder}-sandbox-`);
  const variables = environmentOf(run);
  const [program = "", ...args] = wordsOf(run, variables, scratch);
  const leftFree = Math.min(LEFT_FREE, (await freeBytes(folder)) / 2);
  const began = performance.now();
  const child = spawn(program, args, {
    cwd: folder,
    detached: true,
    windowsHide: true,
    stdio: ["ignore", "pipe", "pipe", run.sandbox ? "pipe" : "ignore"],
    env: run.sandbox ? {} : variables,
  });
  // Listen before anything is awaited: the command may end at once.
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    // Not "close": processes left behind may keep the streams open.
    child.once("exit", resolve);
  });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const first = run.sandbox ? firstProcess(child.stdio[INFO_FD] as Readable) : undefined;
  const endGroupNow = () => child.pid !== undefined && endGroup(child.pid, "SIGKILL");
  const gone = atExit(endGroupNow);
  let stopped: CommandEnd["stopped"];
  const end = (why: CommandEnd["stopped"]) => {
    stopped ??= why;
    // bwrap itself ends once all in the sandbox are gone.
    if (first) void first.then((pid) => (pid === undefined ? endGroupNow() : kill(pid)));
    else endGroupNow();
  };
  const cancel = () => end("cancelled");
  const kept = keepEnd(() => end("output"));
  child.stdout?.on("data", kept.add);
  child.stderr?.on("data", kept.add);
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  const clock = setTimeout(() => end("time"), limits.minutes * 60_000);
  const watch = setInterval(() => {
    void freeBytes(folder).then((free) => free < leftFree && end("disk"));
  }, WATCH_MS);
  try {
    const code = await ended;
    endGroupNow();
    await Promise.race([closed, wait(REST_MS, undefined, { ref: false })]);
    const seconds = (performance.now() - began) / 1000;
    return { code: stopped ? null : code, output: kept.text(), seconds, stopped };
  } finally {
    gone();
    clearTimeout(clock);
    clearInterval(watch);
    signal.removeEventListener("abort", cancel);
    child.stdout?.destroy();
    child.stderr?.destroy();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The number of the sandbox's first process; undefined when there is none. */
async function firstProcess(info: Readable): Promise<number | undefined> {
  const said = await text(info).catch(() => "");
  const pid = /"child-pid": (\d+)/.exec(said)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

/** Ends a group's leader with its group. Windows has no groups, but knows each process's parent. */
export function endGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" }).once("error", () => undefined);
    return;
  }
  kill(-pid, signal);
}

function kill(pid: number, signal: "SIGTERM" | "SIGKILL" = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Nothing of it is left.
  }
}

/** Free bytes on a folder's disk; infinity where unknown. */
async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: Number.POSITIVE_INFINITY, bsize: 1 }));
  return bavail * bsize;
}

function keepEnd(onTooMuch: () => void) {
  const chunks: Buffer[] = [];
  let [held, total] = [0, 0];
  return {
    add(chunk: Buffer): void {
      chunks.push(chunk);
      held += chunk.length;
      total += chunk.length;
      while (held - (chunks[0]?.length ?? 0) > KEPT_OUTPUT) held -= chunks.shift()?.length ?? 0;
      if (total > MAX_OUTPUT) onTooMuch();
    },
    text: () => Buffer.concat(chunks).subarray(-KEPT_OUTPUT).toString("utf8"),
  };
}

/** The command line: a shell that sets limits, the sandbox if any, and a shell with the command. */
function wordsOf({ command, folder, environment, sandbox, limits }: CommandRun, variables: Variables, scratch: string) {
  if (process.platform === "win32") return [programOf("sh", environment), "-c", command];
  const shell = findProgram("sh", SYSTEM_FOLDERS) ?? "/bin/sh";
  const memoryBytes = limits.memoryMb * MEGABYTE;
  const numbers = [memoryBytes / 1024, Math.max(memoryBytes, LARGEST_FILE) / BLOCK, MAX_OPEN_FILES];
  const limited = [shell, "-c", LIMITING, "sh", ...numbers.map(String)];
  if (!sandbox) return [...limited, shell, "-c", command];
  const { is, tools, shown } = sandbox;
  const view = { folder, tools, shown, scratch, home: variables.HOME, environment: variables, memoryBytes };
  const first = [shell, "-c", FIRST, "sh", String(limits.threads ?? MAX_THREADS)];
  return [...limited, is.program, ...sandboxArguments(is, view), ...first, shell, "-c", command];
}

/**
 * Limits that every process inherits and only root can lift: no core dumps, its own memory, the size of files, open
 * files; and first to go when the machine's memory runs out. Address space has none: Go and sanitizers reserve
 * terabytes.
 */
const LIMITING = [
  "ulimit -c 0",
  'ulimit -d "$1" 2>/dev/null',
  'ulimit -f "$2" 2>/dev/null',
  '{ ulimit -H -n "$3" || ulimit -n "$3"; } 2>/dev/null',
  "{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null",
  "shift 3",
  'exec "$@"',
].join("; ");

/** POSIX shells count file sizes in these. */
const BLOCK = 512;

const MAX_OPEN_FILES = 65_536;

/**
 * The sandbox's first process. It waits for orphans, and stops a fork bomb: only in the sandbox, whose users the kernel
 * counts apart (since Linux 5.14), since outside everything the person runs would count. Root has no such limit.
 */
const FIRST = '{ ulimit -u "$1" || ulimit -p "$1"; } 2>/dev/null; shift; "$@"; exit $?';

/** What the command sees. */
type Variables = Readonly<Record<string, string>> & { HOME: string };

/** The sandbox's home directory when the person has none. */
const HOME = "/home/check";

function environmentOf({ environment, folder, sandbox, variables }: CommandRun): Variables {
  const allowed = Object.entries(environment).filter(([name, value]) => isAllowed(name) && value !== undefined);
  const own = path.dirname(folder);
  const search = searchPathOf(environment)
    .split(path.delimiter)
    .filter((entry) => path.isAbsolute(entry));
  return {
    ...(Object.fromEntries(allowed) as Record<string, string>),
    ...variables,
    PATH: search.join(path.delimiter),
    // Tools look there for what they fetched: the sandbox has a new home in the same place.
    HOME: sandbox ? (environment.HOME ?? HOME) : path.join(own, "home"),
    TMPDIR: sandbox ? "/tmp" : path.join(own, "tmp"),
    CI: "true",
    NO_COLOR: "1",
  };
}
