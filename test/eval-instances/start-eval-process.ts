import { fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Work } from "./eval-process.ts";

const FILE = fileURLToPath(new URL(`./eval-process${extname(import.meta.url)}`, import.meta.url));

type Ended = { id: number } & ({ value: unknown } | { fault: string });

/**
 * Starts a small process that builds and grades instances. That starts hundreds of programs, each of which costs the
 * tests' own process, with its gigabyte, ten times as much. `work` has its functions, and throws their faults; `stop`
 * ends it.
 */
export function startEvalProcess(): { work: Work; stop(): void } {
  const child = fork(FILE, { serialization: "advanced" });
  const waiting = new Map<number, (ended: Ended | undefined) => void>();
  let last = 0;
  child.on("message", (ended: Ended) => {
    waiting.get(ended.id)?.(ended);
    waiting.delete(ended.id);
  });
  child.once("exit", () => {
    for (const end of waiting.values()) end(undefined);
  });
  const ask =
    (name: keyof Work) =>
    async (...given: readonly unknown[]) => {
      last += 1;
      const id = last;
      const ended = await new Promise<Ended | undefined>((resolve) => {
        waiting.set(id, resolve);
        child.send({ id, name, given });
      });
      if (ended === undefined) throw new Error("the process that grades has ended");
      if ("fault" in ended) throw new Error(ended.fault);
      return ended.value;
    };
  const work = Object.fromEntries(
    (["buildInstances", "checkOutBase", "gradeInstance", "runGit"] as const).map((name) => [name, ask(name)]),
  );
  return { work: work as unknown as Work, stop: () => child.disconnect() };
}
