import { mkdtempSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

// Started by `leave-nothing.ts` with the name of a program: makes the folder that all of the program's temporary files are in,
// and, when the program has ended in whatever way, ends what it has started and removes the folder.

const GIVE_UP_MS = 15_000;

const AGAIN_MS = 50;

const folder = mkdtempSync(join(tmpdir(), `magis-${process.argv[2]}-`));

/** What a system that has /proc says of its processes: the parent, and whether the environment names the folder. */
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

/** The processes whose environment names the folder, and all that they have started. */
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

// It is what remains: whoever ends the program with all around it means the program.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);

process.stdin
  .on("error", () => undefined)
  .once("close", clear)
  .resume();

writeSync(1, `${folder}\n`);
