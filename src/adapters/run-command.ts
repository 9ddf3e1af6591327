import { spawn } from "node:child_process";
import { mkdtemp, open, rm, statfs } from "node:fs/promises";
import path from "node:path";
import { atExit } from "./at-exit.ts";
import {
  endGroup,
  type FamilyMark,
  familyOf,
  MARK_VARIABLE,
  markingWords,
  newMark,
  type ProcessFamily,
} from "./process-family.ts";
import { findProgram, programOf, SYSTEM_FOLDERS, searchPathOf } from "./programs.ts";
import { type Sandbox, sandboxArguments } from "./sandbox.ts";

/** What a program needs to find its files and its language. It gets no other variable. */
const ALLOWED = new Set([
  "LANG",
  "TZ",
  "TERM",
  "SYSTEMROOT",
  "PATHEXT",
  "COMSPEC",
  "JAVA_HOME",
  "GOROOT",
  "DOTNET_ROOT",
  "RUSTUP_HOME",
  "RUSTUP_TOOLCHAIN",
  "PYENV_ROOT",
  "RBENV_ROOT",
  "NVM_DIR",
  "VOLTA_HOME",
  "ANDROID_HOME",
  "CONDA_PREFIX",
  "CONDA_DEFAULT_ENV",
  "LD_LIBRARY_PATH",
]);

export interface CommandLimits {
  readonly minutes: number;
  /** of all its processes together */
  readonly memoryMb: number;
  /** of all its processes together; the default is enough for any build */
  readonly threads?: number;
}

export interface CommandRun {
  readonly command: string;
  /** where it runs; in a sandbox, all it may write to. `home` and `tmp` beside it are its own too */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** passed besides the allowed variables of the environment */
  readonly variables?: Readonly<Record<string, string>>;
  readonly limits: CommandLimits;
  /** absent: it runs like any program on this machine */
  readonly sandbox?: {
    readonly is: Sandbox;
    /** places of this machine, shown read-only */
    readonly tools: readonly string[];
    /** folders shown read-only elsewhere, by the absolute paths where they appear */
    readonly shown: ReadonlyMap<string, string>;
  };
}

export interface CommandEnd {
  /** null: it was killed */
  readonly code: number | null;
  /** both streams as they came; the end when there is too much */
  readonly output: string;
  readonly seconds: number;
  /** the limit that ended it */
  readonly stopped?: "time" | "memory" | "threads" | "disk" | "output" | "cancelled";
}

const MAX_OUTPUT = 16 * 1024 * 1024;

/** The end, for the report. */
const KEPT_OUTPUT = 4 * 1024 * 1024;

const WATCH_MS = 150;

const MEGABYTE = 1024 * 1024;

/** More than hundreds of compilers, or servers with a thread a request, need. */
const MAX_THREADS = 8_192;

/** Linkers and fixtures write files of hundreds of megabytes. */
const LARGEST_FILE = 1024 * MEGABYTE;

/** Disk space left for others on this machine. */
const LEFT_FREE = 1024 * MEGABYTE;

/**
 * Runs a command in a shell with an allow-list of variables. Ends it and everything it started at a limit, when the
 * signal fires, and what is left when it ends by itself. Rejects only when no shell can be started.
 */
export async function runCommand(run: CommandRun, signal: AbortSignal): Promise<CommandEnd> {
  const { folder, limits } = run;
  const mark = newMark();
  const scratch = await mkdtemp(`${folder}-sandbox-`);
  const variables = environmentOf(run, mark);
  const { words, filter } = wordsOf(run, { variables, scratch }, mark);
  const calls = filter === undefined ? undefined : await open(filter, "r");
  const leftFree = Math.min(LEFT_FREE, (await freeBytes(folder)) / 2);
  const began = performance.now();
  const [program = "", ...args] = words;
  const child = spawn(program, args, {
    cwd: folder,
    detached: true,
    windowsHide: true,
    stdio: calls ? ["ignore", "pipe", "pipe", calls.fd] : ["ignore", "pipe", "pipe"],
    env: run.sandbox ? { [MARK_VARIABLE]: mark.name } : variables,
  });
  // Listen before anything is awaited: the command may end at once.
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    // Not "close": processes left behind may keep the streams open.
    child.once("exit", resolve);
  });
  const inMemory = run.sandbox ? ["/tmp", "/dev/shm", variables.HOME] : [];
  const family = child.pid === undefined ? undefined : familyOf(child.pid, mark, { folder, inMemory });
  const gone = atExit(() => child.pid !== undefined && endGroup(child.pid, "SIGKILL"));
  let stopped: CommandEnd["stopped"];
  const end = (why: CommandEnd["stopped"]) => {
    stopped ??= why;
    void family?.end();
  };
  const cancel = () => end("cancelled");
  const kept = keepEnd(() => end("output"));
  child.stdout?.on("data", kept.add);
  child.stderr?.on("data", kept.add);
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  const clock = setTimeout(() => end("time"), limits.minutes * 60_000);
  const watch = every(WATCH_MS, async () => {
    const excess = family && (await excessOf(family, limits));
    if (excess) end(excess);
    else if ((await freeBytes(folder)) < leftFree) end("disk");
  });
  try {
    const code = await ended;
    await family?.end();
    const seconds = (performance.now() - began) / 1000;
    return { code: stopped ? null : code, output: kept.text(), seconds, stopped };
  } finally {
    gone();
    clearTimeout(clock);
    watch.stop();
    signal.removeEventListener("abort", cancel);
    child.stdout?.destroy();
    child.stderr?.destroy();
    await calls?.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

async function excessOf(family: ProcessFamily, limits: CommandLimits): Promise<"memory" | "threads" | undefined> {
  const { memory, threads } = await family.use();
  if (memory > limits.memoryMb * MEGABYTE) return "memory";
  return threads > (limits.threads ?? MAX_THREADS) ? "threads" : undefined;
}

/** Free bytes on a folder's disk; infinity where unknown. */
async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: Number.POSITIVE_INFINITY, bsize: 1 }));
  return bavail * bsize;
}

/** Repeats `work`, waiting for each round to end. */
function every(milliseconds: number, work: () => Promise<void>) {
  let isOver = false;
  let next: NodeJS.Timeout | undefined;
  const again = () => {
    if (!isOver) next = setTimeout(() => void work().then(again, again), milliseconds);
  };
  again();
  return {
    stop(): void {
      isOver = true;
      clearTimeout(next);
    },
  };
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

/** The command line: a shell that marks the process, the sandbox if any, and a shell with the command. */
function wordsOf({ command, folder, environment, sandbox, limits }: CommandRun, own: OwnEnvironment, mark: FamilyMark) {
  if (process.platform === "win32") return { words: [programOf("sh", environment), "-c", command], filter: undefined };
  const shell = findProgram("sh", SYSTEM_FOLDERS) ?? "/bin/sh";
  const memoryBytes = limits.memoryMb * MEGABYTE;
  const marked = markingWords(shell, mark, { fileBytes: Math.max(memoryBytes, LARGEST_FILE) });
  if (!sandbox) return { words: [...marked, shell, "-c", command], filter: undefined };
  const { is, tools, shown } = sandbox;
  const view = { folder, tools, shown, scratch: own.scratch, home: own.variables.HOME, environment: own.variables };
  const { words, filter } = sandboxArguments(is, { ...view, memoryBytes });
  const few = [shell, "-c", FEW_THREADS, "sh", String(limits.threads ?? MAX_THREADS)];
  return { words: [...marked, is.program, ...words, ...few, shell, "-c", command], filter };
}

/**
 * Stops a fork bomb between two looks. Only in the sandbox, whose users the kernel counts apart (since Linux 5.14):
 * outside, everything the person runs would count. Root has no such limit.
 */
const FEW_THREADS = '{ ulimit -u "$1" || ulimit -p "$1"; } 2>/dev/null; shift; exec "$@"';

interface OwnEnvironment {
  /** what the command sees */
  readonly variables: Readonly<Record<string, string>> & { readonly HOME: string };
  /** the sandbox's own files */
  readonly scratch: string;
}

/** The sandbox's home directory when the person has none. */
const HOME = "/home/check";

function environmentOf({ environment, folder, sandbox, variables }: CommandRun, mark: FamilyMark) {
  const isAllowed = (name: string) => ALLOWED.has(name.toUpperCase()) || /^LC_\w+$/i.test(name);
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
    [MARK_VARIABLE]: mark.name,
  };
}
