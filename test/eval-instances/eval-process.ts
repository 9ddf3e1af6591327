import { buildInstances } from "../../eval/build-instances.ts";
import { checkOutBase } from "../../eval/check-out-base.ts";
import { gradeInstance } from "../../eval/grade-instance.ts";
import { runGit } from "../../eval/run-git.ts";

const WORK = { buildInstances, checkOutBase, gradeInstance, runGit };

/** What a test asks of `start-eval-process.ts`. */
export type Work = typeof WORK;

interface Asked {
  readonly id: number;
  readonly name: keyof Work;
  readonly given: readonly unknown[];
}

/** Does one thing; what it gives, or what it says where it cannot. */
async function perform({ name, given }: Asked) {
  const work = WORK[name] as (...words: readonly unknown[]) => Promise<unknown>;
  return work(...given).then(
    (value) => ({ value }),
    (error: unknown) => ({ fault: String(error) }),
  );
}

// Begun as a process of its own, which ends with the one that it works for.
process.on("message", (asked: Asked) => {
  void perform(asked).then((ended) => process.send?.({ id: asked.id, ...ended }));
});
process.once("disconnect", () => process.exit());
