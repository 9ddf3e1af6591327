import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** What a program needs to find its files and to write in a language. No other variable is handed on, whatever its name. */
const ALLOWED =
  /^(?:PATH|LANG|LC_\w+|TZ|TERM|SYSTEMROOT|JAVA_HOME|GOROOT|DOTNET_ROOT|RUSTUP_HOME|RUSTUP_TOOLCHAIN|PYENV_ROOT|RBENV_ROOT|NVM_DIR|VOLTA_HOME|ANDROID_HOME|CONDA_(?:PREFIX|DEFAULT_ENV)|LD_LIBRARY_PATH|PATHEXT|COMSPEC)$/i;

/** Folders of the home directory that hold tools and what package managers have fetched, and no secrets. */
const HOME_TOOLS = [
  ...[".nvm/versions", ".volta/tools", ".asdf/installs", ".sdkman/candidates", ".pyenv/versions", ".rbenv/versions"],
  ...[".rustup", ".cargo/bin", ".cargo/registry", ".cargo/git", "go/pkg/mod", ".m2/repository", ".m2/wrapper"],
  ...[
    ".gradle/caches",
    ".gradle/wrapper",
    ".nuget/packages",
    ".dotnet",
    ".gem",
    ".local/bin",
    ".local/share/mise/installs",
  ],
  ...[".cache/pypoetry/virtualenvs", ".deno/bin", ".bun/bin", ".composer/cache", ".hex", ".mix", ".pub-cache"],
] as const;

/** What one command may use. */
export interface CommandLimits {
  readonly minutes: number;
  /** of all its processes together */
  readonly memoryMb: number;
}

export interface CommandRun {
  readonly command: string;
  /** where it runs; with a sandbox, all that it may write */
  readonly folder: string;
  /** paths below `folder` that are other folders of this machine, to be read only */
  readonly shown: ReadonlyMap<string, string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly sandboxed: boolean;
  readonly limits: CommandLimits;
}

export interface CommandEnd {
  /** null: it was ended from outside */
  readonly code: number | null;
  /** both streams as they came; of much, the end */
  readonly output: string;
  readonly seconds: number;
  /** the limit that ended it */
  readonly stopped?: "time" | "memory" | "output" | "cancelled";
}

const MAX_OUTPUT = 16 * 1024 * 1024;

/** What of it is kept. */
const KEPT_OUTPUT = 4 * 1024 * 1024;

const WATCH_MS = 250;

let marks = 0;

/**
 * Runs a command in a shell with a bounded environment, and ends it with everything that it has started: at a limit, when
 * the signal fires, and what is left of it when it has ended by itself. Rejects only when no shell can be started.
 */
export async function runCommand(run: CommandRun, signal: AbortSignal): Promise<CommandEnd> {
  const { folder, limits, environment } = run;
  const mark = `${process.pid}-${++marks}`;
  const env = { ...environmentOf(run, folder), MAGIS_CHECK_RUN: mark };
  const [program, args] = run.sandboxed ? sandboxOf(run, env) : ["sh", ["-c", run.command]];
  const began = performance.now();
  const child = spawn(program, args, {
    ...{ cwd: folder, stdio: ["ignore", "pipe", "pipe"], detached: true, windowsHide: true },
    env: run.sandboxed ? { PATH: environment.PATH, MAGIS_CHECK_RUN: mark } : env,
  });
  let stopped: CommandEnd["stopped"];
  const end = (why: CommandEnd["stopped"]) => {
    stopped ??= why;
    void killAll(child.pid, mark);
  };
  const cancel = () => end("cancelled");
  const kept = keepEnd(() => end("output"));
  child.stdout?.on("data", kept.add);
  child.stderr?.on("data", kept.add);
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  const clock = setTimeout(() => end("time"), limits.minutes * 60_000);
  const watch = setInterval(() => {
    void memoryOf(mark).then((bytes) => bytes > limits.memoryMb * 1024 * 1024 && end("memory"));
  }, WATCH_MS);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      // Not "close": what it has left behind may keep its streams open.
      child.once("exit", resolve);
    });
    await killAll(child.pid, mark);
    const seconds = (performance.now() - began) / 1000;
    return { code: stopped ? null : code, output: kept.text(), seconds, ...(stopped && { stopped }) };
  } finally {
    clearTimeout(clock);
    clearInterval(watch);
    signal.removeEventListener("abort", cancel);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
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

function environmentOf({ environment, sandboxed }: CommandRun, folder: string): Record<string, string> {
  const allowed = Object.entries(environment).filter(([name, value]) => ALLOWED.test(name) && value !== undefined);
  const own = path.dirname(folder);
  const home = sandboxed ? (environment.HOME ?? own) : path.join(own, "home");
  return {
    ...(Object.fromEntries(allowed) as Record<string, string>),
    ...{ HOME: home, TMPDIR: sandboxed ? "/tmp" : path.join(own, "tmp"), CI: "true", NO_COLOR: "1" },
  };
}

/** The program that keeps a command from the network, the home directory, and all that others run. */
export const SANDBOX = "bwrap";

/**
 * The machine's files to be read, without the home directories but for tools in them, and nothing to be written but the
 * folder. What is bound later lies over what was bound before.
 */
function sandboxOf(run: CommandRun, env: Readonly<Record<string, string>>): readonly [string, string[]] {
  const { folder, shown, environment, command } = run;
  const home = environment.HOME;
  const read = (from: string, to = from) => ["--ro-bind-try", from, to];
  const hidden = ["/tmp", "/var/tmp", "/home", "/root", "/run", "/mnt", "/media", ...(home ? [home] : [])];
  const tools = home ? [...HOME_TOOLS.map((one) => path.join(home, one)), ...toolsOnPath(environment.PATH, home)] : [];
  return [
    SANDBOX,
    [
      ...["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"],
      ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
      ...[...new Set(hidden)].filter((one) => existsSync(one) && one !== "/").flatMap((one) => ["--tmpfs", one]),
      ...tools.flatMap((one) => read(one)),
      ...["--bind", folder, folder],
      ...[...shown].flatMap(([at, from]) => read(from, path.join(folder, at))),
      ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
      ...["--chdir", folder, "sh", "-c", command],
    ],
  ];
}

/** Folders of the home directory that the path names: with what lies beside a `bin` where that is a tool's own. */
function toolsOnPath(search = "", home: string): string[] {
  return search
    .split(path.delimiter)
    .filter((entry) => entry.startsWith(`${home}/`))
    .map((entry) => {
      const above = path.dirname(entry);
      const isTool = path.basename(entry) === "bin" && above !== home && existsSync(path.join(above, "lib"));
      return isTool && path.dirname(above) !== home ? above : entry;
    });
}

/** The processes that carry the mark, which everything inherits that a command starts. Only Linux tells. */
async function marked(mark: string): Promise<number[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const own = await Promise.all(
    pids.map(async (pid) => {
      const told = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
      return told.split("\0").includes(`MAGIS_CHECK_RUN=${mark}`) ? pid : undefined;
    }),
  );
  return own.filter((pid) => pid !== undefined && pid !== process.pid) as number[];
}

const PAGE = 4096;

async function memoryOf(mark: string): Promise<number> {
  const sizes = (await marked(mark)).map(async (pid) => {
    const told = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "");
    return Number(told.split(" ")[1] ?? 0) * PAGE;
  });
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

/** Ends a command's process group, and what has left that group. */
async function killAll(pid: number | undefined, mark: string): Promise<void> {
  if (pid !== undefined) endGroup(pid, "SIGKILL");
  let isClear = false;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const left = await marked(mark);
    if (left.length === 0 && isClear) return;
    isClear = left.length === 0;
    // What is just about to become another program shows no environment for a moment.
    if (isClear) await pause(SETTLE_MS);
    for (const one of left) kill(one, "SIGKILL");
  }
}

const MAX_ROUNDS = 8;

const SETTLE_MS = 20;

/** Ends a process that leads a group, and the group; Windows has none, but knows who was started by whom. */
export function endGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (process.platform !== "win32") kill(-pid, signal);
  else spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" }).once("error", () => undefined);
}

function kill(target: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(target, signal);
  } catch {
    // It has ended by itself.
  }
}
