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

/** What a program needs to find its files and to write in a language. No other variable is handed on, whatever its name. */
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

/** What one command may use. */
export interface CommandLimits {
  readonly minutes: number;
  /** of all its processes together */
  readonly memoryMb: number;
  /** of all its processes together; absent: enough for any build */
  readonly threads?: number;
}

export interface CommandRun {
  readonly command: string;
  /** where it runs; with a sandbox, all of the disk that it may write. Folders beside it, `home` and `tmp`, are its own too */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** variables that it gets beside those of the environment that are allowed */
  readonly variables?: Readonly<Record<string, string>>;
  readonly limits: CommandLimits;
  /** absent: it runs as any program of this machine */
  readonly sandbox?: {
    readonly is: Sandbox;
    /** places of this machine that it is shown, read-only */
    readonly tools: readonly string[];
    /** folders that it is shown elsewhere, read-only, by the absolute paths where they are shown */
    readonly shown: ReadonlyMap<string, string>;
  };
}

export interface CommandEnd {
  /** null: it was ended from outside */
  readonly code: number | null;
  /** both streams as they came; of much, the end */
  readonly output: string;
  readonly seconds: number;
  /** the limit that ended it */
  readonly stopped?: "time" | "memory" | "threads" | "disk" | "output" | "cancelled";
}

const MAX_OUTPUT = 16 * 1024 * 1024;

/** What of it is kept. */
const KEPT_OUTPUT = 4 * 1024 * 1024;

const WATCH_MS = 150;

const MEGABYTE = 1024 * 1024;

/** A build of hundreds of compilers, or servers with a thread for each request, has fewer. */
const MAX_THREADS = 8_192;

/** Linkers and fixtures write files of hundreds of megabytes. */
const LARGEST_FILE = 1024 * MEGABYTE;

/** What others on this machine need of the disk. */
const LEFT_FREE = 1024 * MEGABYTE;

/**
 * Runs a command in a shell with a bounded environment, and ends it with everything that it has started: at a limit, when
 * the signal fires, and what is left of it when it has ended by itself. Rejects only when no shell can be started.
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
  // Before anything is awaited: the command may be over in a moment.
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    // Not "close": what it has left behind may keep its streams open.
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

/** Bytes of a folder's disk that are free; no end of them where the machine does not tell. */
async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: Number.POSITIVE_INFINITY, bsize: 1 }));
  return bavail * bsize;
}

/** Does something again and again, each time when the last has ended. */
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

/** The program and its words: a shell that marks it, the sandbox where there is one, and a shell with the command. */
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
 * Ends a bomb of forks before anybody looks. Only in the sandbox, whose users the kernel counts apart (since Linux 5.14):
 * outside, all that the person runs would count, in other containers too. Root has no such limit.
 */
const FEW_THREADS = '{ ulimit -u "$1" || ulimit -p "$1"; } 2>/dev/null; shift; exec "$@"';

interface OwnEnvironment {
  /** what the command sees */
  readonly variables: Readonly<Record<string, string>> & { readonly HOME: string };
  /** what the sandbox is made with */
  readonly scratch: string;
}

/** Where the sandbox has its home directory when the person has none. */
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
    // Tools look for what they have fetched there: in the sandbox it is a new one in the same place.
    HOME: sandbox ? (environment.HOME ?? HOME) : path.join(own, "home"),
    TMPDIR: sandbox ? "/tmp" : path.join(own, "tmp"),
    CI: "true",
    NO_COLOR: "1",
    [MARK_VARIABLE]: mark.name,
  };
}
