import { buildInstances } from "../../eval/build-instances.ts";
import { checkOutBase } from "../../eval/check-out-base.ts";
import { gradeInstance } from "../../eval/grade-instance.ts";
import { runGit } from "../../eval/run-git.ts";

const WORK = { buildInstances, checkOutBase, gradeInstance, runGit };

/** The functions that a test calls through `start-eval-process.ts`. */
export type Work = typeof WORK;

interface Call {
  id: number;
  name: keyof Work;
  given: readonly unknown[];
}

/** Carries out one call, and gives its value or its fault. */
async function perform({ name, given }: Call) {
  const work = WORK[name] as (...words: readonly unknown[]) => Promise<unknown>;
  return work(...given).then(
    (value) => ({ value }),
    (error: unknown) => ({ fault: String(error) }),
  );
}

// This file runs as a process of its own, and ends with its parent.
process.on("message", (call: Call) => {
  void perform(call).then((ended) => process.send?.({ id: call.id, ...ended }));
});
process.once("disconnect", () => process.exit());
