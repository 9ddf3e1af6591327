import { mapLine } from "../../edits/map-line.ts";
import { readText } from "../../edits/read-text.ts";
import type { TaskOutcome } from "../../model/task-outcome.ts";
import type { FinishedTask } from "../strategy/paper/resolve-task.ts";
import type { WorkingCopy } from "./working-copy.ts";

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
