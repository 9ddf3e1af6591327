import { mkdtempSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

// Started by `leave-nothing.ts` with the name of a program: makes a folder for the program's temporary files. When the
// program has ended, in whatever way, it ends the program's children and removes the folder.

const GIVE_UP_MS = 15_000;

const AGAIN_MS = 50;

const folder = mkdtempSync(join(tmpdir(), `magis-${process.argv[2]}-`));

/** Reads from /proc a process's parent and whether its environment names the folder. */
function readProcess(pid) {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    if (state === "Z") return undefined;
    return { pid, parent: Number(parent), isMarked: readFileSync(`/proc/${pid}/environ`, "latin1").includes(folder) };
  } catch {
    // It has ended, or belongs to somebody else.
    return undefined;
  }
}

/** The processes whose environment names the folder, and all their descendants. */
function family() {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => readProcess(Number(pid)) ?? []);
  const found = new Set(processes.filter(({ isMarked }) => isMarked).map(({ pid }) => pid));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { pid, parent } of processes) if (found.has(parent)) found.add(pid);
  }
  found.delete(process.pid);
  return [...found];
}

function end(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

async function clear() {
  const began = performance.now();
  const known = process.platform === "linux" ? family : () => [];
  for (let left = known(); left.length > 0 && performance.now() - began < GIVE_UP_MS; left = known()) {
    for (const pid of left) end(pid);
    await setTimeout(AGAIN_MS);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  process.exit();
}

// Outlive the program: a signal to its whole process group is meant for the program.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);

process.stdin
  .on("error", () => undefined)
  .once("close", clear)
  .resume();

writeSync(1, `${folder}\n`);
