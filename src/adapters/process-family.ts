import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { readdir, readFile, readlink, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** Everything a command has started, as far as this machine shows. */
export interface ProcessFamily {
  /** What all of them use; zero where the machine does not show it. */
  use(): Promise<FamilyUse>;
  /** Kills all of them, and looks again until none is left. */
  end(): Promise<void>;
}

export interface FamilyUse {
  /** bytes, files in memory included */
  readonly memory: number;
  readonly threads: number;
}

/** What identifies a family. */
export interface FamilyMark {
  /** a limit on file locks, which no kernel since Linux 2.4 enforces and every process inherits */
  readonly limit: number;
  /** a variable's value, for shells that cannot set that limit */
  readonly name: string;
}

export const MARK_VARIABLE = "MAGIS_CHECK_RUN";

let marks = 0;

/** A mark that no other command on this machine has. */
export function newMark(): FamilyMark {
  return { limit: randomInt(2 ** 30, 2 ** 31), name: `${process.pid}-${++marks}` };
}

/**
 * Sets the mark and limits for the program that follows, and replaces the shell with it: no core dumps, and first to go
 * when memory runs out. Every process inherits them, and only root can lift them. Shells use different letters for
 * limits. Address space has none: sanitizers and Go reserve terabytes.
 */
const MARKING = [
  "ulimit -c 0",
  '{ ulimit -w "$1" || ulimit -x "$1"; } 2>/dev/null',
  'ulimit -f "$2" 2>/dev/null',
  '{ ulimit -H -n "$3" || ulimit -n "$3"; } 2>/dev/null',
  "{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null",
  "shift 3",
  'exec "$@"',
].join("; ");

/** POSIX shells count file sizes in these. */
const BLOCK = 512;

const MAX_OPEN_FILES = 65_536;

/** The words with which `shell` marks and limits the program that follows. */
export function markingWords(shell: string, mark: FamilyMark, { fileBytes }: { readonly fileBytes: number }): string[] {
  const limits = [mark.limit, Math.ceil(fileBytes / BLOCK), MAX_OPEN_FILES];
  return [shell, "-c", MARKING, "sh", ...limits.map(String)];
}

export interface FamilyPlaces {
  /** the family's own folder: whoever works in it belongs to the family */
  readonly folder: string;
  /** where the family may have private file systems in memory */
  readonly inMemory: readonly string[];
}

/**
 * The family of the process `first`, which leads its own group. A process belongs to it when a member started it, when
 * it is in the session or group, carries the mark (which neither `setsid` nor `env -i` removes) or works in the folder.
 * Once a member, always a member. Without `/proc` only the group is known.
 */
export function familyOf(first: number, mark: FamilyMark, { folder, inMemory: places }: FamilyPlaces): ProcessFamily {
  const own = new Map<number, string>();
  const foreign = new Map<number, string>();
  let oldest: number | undefined;

  const look = async (isThorough: boolean): Promise<readonly SeenProcess[]> => {
    const seen = (await Promise.all((await allPids()).map(readProcess))).filter((one) => one !== undefined);
    const begun = seen.find(({ pid }) => pid === first)?.started;
    oldest ??= begun;
    for (const one of seen) {
      if (own.get(one.pid) === one.key || one.pid === process.pid) continue;
      if (one.pid === first && oldest === one.started) own.set(one.pid, one.key);
      else if (one.session === first || one.group === first) own.set(one.pid, one.key);
      else if (oldest !== undefined && one.started < oldest) continue;
      else if (!isThorough && foreign.get(one.pid) === one.key) continue;
      else if (await isMarked(one.pid, mark, isThorough ? folder : undefined)) own.set(one.pid, one.key);
      else foreign.set(one.pid, one.key);
    }
    addDescendants(seen, own);
    return seen.filter((one) => own.get(one.pid) === one.key);
  };

  return {
    async use() {
      const seen = await look(false);
      const pids = seen.map(({ pid }) => pid);
      return { memory: await memoryOf(pids, places), threads: seen.reduce((sum, { threads }) => sum + threads, 0) };
    },
    async end() {
      endGroup(first, "SIGKILL");
      for (let round = 0, clear = 0; round < MAX_ROUNDS && clear < 2; round++) {
        const left = await look(true);
        clear = left.length === 0 ? clear + 1 : 0;
        for (const { pid } of left) kill(pid, "SIGKILL");
        // A process that is about to exec or to die shows nothing for a moment.
        await pause(SETTLE_MS);
      }
    },
  };
}

const MAX_ROUNDS = 40;

const SETTLE_MS = 20;

interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly threads: number;
  /** ticks since the machine was started */
  readonly started: number;
  /** tells it from a later process with the same number */
  readonly key: string;
}

async function allPids(): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/** Reads its `stat`; undefined for one that has ended, a zombie included. */
async function readProcess(pid: number): Promise<SeenProcess | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The program's name is in brackets and may hold anything.
  const [state, ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  if (text === "" || state === "Z" || state === "X") return undefined;
  const [parent = 0, group = 0, session = 0] = fields.map(Number);
  const [threads, started] = [Number(fields[16]), Number(fields[18])];
  return { pid, parent, group, session, threads, started, key: `${pid}@${started}` };
}

function addDescendants(seen: readonly SeenProcess[], own: Map<number, string>): void {
  const known = new Map(seen.map((one) => [one.pid, one]));
  const isOwn = (pid: number) => own.has(pid) && own.get(pid) === known.get(pid)?.key;
  for (let hasMore = true; hasMore; ) {
    const more = seen.filter((one) => !isOwn(one.pid) && one.pid !== process.pid && isOwn(one.parent));
    for (const one of more) own.set(one.pid, one.key);
    hasMore = more.length > 0;
  }
}

/** Whether a process carries the mark or works in the folder; false where that cannot be read. */
async function isMarked(pid: number, { limit, name }: FamilyMark, folder: string | undefined): Promise<boolean> {
  const limits = await readFile(`/proc/${pid}/limits`, "utf8").catch(() => "");
  if (new RegExp(`^Max file locks +\\d+ +${limit} `, "m").test(limits)) return true;
  if (folder === undefined) return false;
  const variables = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
  if (variables.split("\0").includes(`${MARK_VARIABLE}=${name}`)) return true;
  const places = await Promise.all(["cwd", "root"].map((one) => readlink(`/proc/${pid}/${one}`).catch(() => "")));
  return places.some((place) => `${place}/`.startsWith(`${folder}${path.sep}`));
}

/**
 * What processes hold together: their own memory, swap included, and the larger of shared memory and files in memory,
 * since a mapped file is both.
 */
async function memoryOf(pids: readonly number[], places: readonly string[]): Promise<number> {
  let [own, shared] = [0, 0];
  for (const pid of pids) {
    const text = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0);
    own += kilobytes("RssAnon") + kilobytes("VmSwap");
    shared += kilobytes("RssShmem");
  }
  const files = (await memoryFiles(pids)) + (await filesInMemory(pids, places));
  return own * 1024 + Math.max(shared * 1024, files);
}

/** Nameless files that live in memory while somebody has them open (memfd_create). */
async function memoryFiles(pids: readonly number[]): Promise<number> {
  const sizes = new Map<string, number>();
  for (const pid of pids) {
    const folder = `/proc/${pid}/fd`;
    for (const name of await readdir(folder).catch(() => [])) {
      const target = await readlink(path.join(folder, name)).catch(() => "");
      if (!target.startsWith("/memfd:")) continue;
      const found = await stat(path.join(folder, name)).catch(() => undefined);
      if (found) sizes.set(`${found.dev}:${found.ino}`, found.blocks * 512);
    }
  }
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

const TMPFS = 0x01021994;

/** In-memory file systems that only these processes see: a sandbox's own. */
async function filesInMemory(pids: readonly number[], places: readonly string[]): Promise<number> {
  const here = await Promise.all(places.map((place) => deviceOf(place)));
  const used = new Map<number, number>();
  for (const pid of pids) {
    for (const place of places) {
      const seen = path.join(`/proc/${pid}/root`, place);
      const device = await deviceOf(seen);
      if (device === undefined || here.includes(device) || used.has(device)) continue;
      const { type, blocks, bfree, bsize, files, ffree } = await statfs(seen).catch(() => NOTHING);
      if (type === TMPFS) used.set(device, (blocks - bfree) * bsize + (files - ffree) * BYTES_OF_FILE);
    }
  }
  return [...used.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** About what the kernel keeps for an empty file in memory. */
const BYTES_OF_FILE = 1024;

const NOTHING = { type: 0, blocks: 0, bfree: 0, bsize: 0, files: 0, ffree: 0 };

async function deviceOf(place: string): Promise<number | undefined> {
  return (await stat(place).catch(() => undefined))?.dev;
}

/** Ends a group's leader with its group. Windows has no groups, but knows each process's parent. */
export function endGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (process.platform !== "win32") kill(-pid, signal);
  else spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" }).once("error", () => undefined);
}

function kill(target: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(target, signal);
  } catch {
    // It has already ended.
  }
}
