import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { keptInProcess } from "../../kept-in-process.ts";
import type { Ended, Task } from "./program-runner.ts";

/** The program of the small process. */
export const RUNNER = fileURLToPath(new URL(`./program-runner${extname(import.meta.url)}`, import.meta.url));

/**
 * Runs a program by a small process that is kept for it: a process of a gigabyte, as one with the world and the tests is,
 * stands still for a tenth of a second each time that it starts another. Rejects when the program cannot be started.
 */
export async function runProgram(task: Task): Promise<Ended> {
  const ended = await keptInProcess("program-runner", startRunner)(task);
  if (ended.fault !== undefined) throw new Error(ended.fault);
  return ended;
}

function startRunner(): (task: Task) => Promise<Ended> {
  const runner = fork(RUNNER, { serialization: "advanced" });
  const waiting = new Map<number, (ended: Ended) => void>();
  let last = 0;
  runner.on("message", ({ id, ended }: { id: number; ended: Ended }) => {
    waiting.get(id)?.(ended);
    waiting.delete(id);
    if (waiting.size === 0) letGo(runner);
  });
  runner.once("exit", (code) => {
    for (const end of waiting.values())
      end({ code, out: Buffer.of(), err: Buffer.of(), fault: "the runner has ended" });
  });
  return (task) =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      runner.ref();
      runner.channel?.ref();
      runner.send({ id: last, task });
    });
}

/** Nobody waits for it: it holds up no end. */
function letGo(runner: ChildProcess): void {
  runner.unref();
  runner.channel?.unref();
}
