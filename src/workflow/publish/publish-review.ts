import { isMagisError } from "../../model/magis-error.ts";
import { markers } from "../../model/markers.ts";
import type { QaComment } from "../../model/qa-comment.ts";
import type { Plan } from "../../model/task.ts";
import type { TaskOutcome } from "../../model/task-outcome.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { Log } from "../../ports/log.ts";
import type { PullRequestApi } from "../../ports/pull-request-api.ts";
import { reviewText } from "../../report/review-text.ts";
import { isThreadOf } from "./is-thread-of.ts";
import { type CommentPlace, placeComment } from "./place-comment.ts";
import { settleThreads } from "./settle-threads.ts";

interface ReviewInput {
  readonly host: PullRequestApi & Pick<CodeHost, "login">;
  readonly runId: string;
  readonly pullRequest: number;
  readonly head: string;
  readonly plan: Plan;
  readonly outcomes: readonly TaskOutcome[];
  /** unified diff of each changed file */
  readonly diffs: ReadonlyMap<string, string>;
  readonly log: Log;
}

interface PlacedComment {
  readonly comment: QaComment;
  readonly body: string;
  readonly place: CommentPlace | undefined;
}

/**
 * Attaches the QA Engineers' comments as review threads: one review by the bot with every comment on its line, comments
 * about a whole file beside it. Threads of comments that a later round put right get the Developer's reply and are
 * resolved. Gives how many stay open. What an earlier try has made is found by its marks.
 */
export async function publishReview(deps: ReviewInput): Promise<number> {
  const { host, runId, pullRequest, head, outcomes, diffs, log } = deps;
  const placed = outcomes.flatMap((outcome) =>
    outcome.comments.map(
      (comment): PlacedComment => ({
        comment,
        body: reviewText.comment(comment, outcome),
        place: placeComment(comment, diffs),
      }),
    ),
  );
  const marker = markers.review(runId);
  const body = reviewText.body(
    marker,
    outcomes,
    placed.flatMap(({ comment, place }) => (place ? [] : [comment])),
  );
  const onLines = placed.flatMap(({ place, body }) => (place && "line" in place ? [{ ...place, body }] : []));
  if (!(await host.findOwnReview(pullRequest, marker))) {
    try {
      await host.createReview(pullRequest, head, body, onLines);
    } catch (error) {
      // A line that the host does not find in its diff must not cost the review: the comments go to their files.
      if (!isMagisError(error, "HOST_REFUSED") || onLines.length === 0) throw error;
      log.warn({ error }, "the host refused the review's lines");
      await host.createReview(pullRequest, head, body, []);
    }
  }
  try {
    await addFileComments(deps, placed);
    await settleThreads(deps);
  } catch (error) {
    // The pull request and its review are there: a host that refuses the rest must not make a failure of them.
    if (!isMagisError(error, "HOST_REFUSED", "HOST_NOT_FOUND")) throw error;
    log.warn({ error }, "the host refused what belongs to the review's threads");
  }
  return placed.filter(({ comment }) => comment.status === "open").length;
}

/** Comments about a file as a whole, and those whose lines the host refused: the ones that have no thread yet. */
async function addFileComments(
  { host, pullRequest, head }: ReviewInput,
  placed: readonly PlacedComment[],
): Promise<void> {
  if (placed.length === 0) return;
  const threads = await host.listThreads(pullRequest);
  for (const { comment, body, place } of placed) {
    const isThere = threads.some((thread) => isThreadOf(comment.id, thread, host.login));
    if (place && !isThere) await host.createFileComment(pullRequest, head, place.path, body);
  }
}
