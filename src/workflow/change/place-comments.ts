import { mapLine } from "../../edits/file-change.ts";
import { readText } from "../../edits/text-file.ts";
import type { TaskOutcome } from "../../model/work.ts";
import type { WorkingCopy } from "./working-copy.ts";

/** What one task leaves behind. */
export interface FinishedTask {
  readonly outcome: TaskOutcome;
  /** the task's own change, for the tasks after it */
  readonly diff: string;
  /** the file as it was in each round that QA reviewed; undefined: deleted */
  readonly reviewed: ReadonlyMap<number, Uint8Array | undefined>;
}

/**
 * Moves the lines of QA comments from the version that was reviewed to where they are in the run's final version of the
 * file: later rounds and later tasks may have changed it again. A comment on a file that is gone in the end is about the file as a whole.
 */
export function placeComments(
  finished: readonly FinishedTask[],
  copy: Pick<WorkingCopy, "read">,
): Promise<TaskOutcome[]> {
  return Promise.all(
    finished.map(async ({ outcome, reviewed }) => {
      const last = linesOf(await copy.read(outcome.path));
      const comments = outcome.comments.map(({ line, ...comment }) => {
        const then = linesOf(reviewed.get(comment.round));
        return line === undefined || !then || !last ? comment : { ...comment, line: mapLine(then, last, line) };
      });
      return { ...outcome, comments };
    }),
  );
}

const linesOf = (content: Uint8Array | undefined) => content && readText(content)?.lines;
