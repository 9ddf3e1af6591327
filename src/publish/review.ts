import { diffLines } from "../code/edits/diff.ts";
import { isHostRefusal, isMagisError } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import { isOurs, markers } from "../data/marks.ts";
import type { MadePlan } from "../data/plan.ts";
import { countOpen, MAX_THREADS, type QaComment, type TaskOutcome } from "../data/work.ts";
import type { CodeHost, ReviewThread } from "../github/code-host.ts";
import { reviewText } from "../report/review-text.ts";

interface ReviewInput {
  host: CodeHost;
  runId: string;
  pullRequest: number;
  head: string;
  plan: MadePlan;
  outcomes: readonly TaskOutcome[];
  /** unified diff of each changed file */
  diffs: ReadonlyMap<string, string>;
  log: Log;
}

interface PlacedComment {
  comment: QaComment;
  body: string;
  place: CommentPlace;
}

/**
 * Attaches the QA Engineers' comments as review threads: one review by the bot with every comment on its line, comments
 * about a whole file on it, none where there is no comment. Threads of comments that a later round put right get
 * the Developer's reply and are resolved. Gives how many stay open. What an earlier try has made is found by its marks.
 */
export async function publishReview(deps: ReviewInput): Promise<number> {
  const { host, runId, pullRequest, head, outcomes, diffs, log } = deps;
  const all = outcomes.flatMap((outcome) => outcome.comments.map((comment) => placedComment(comment, outcome, diffs)));
  if (all.length === 0) return 0;
  const placed = chooseThreads(all);
  const further = all.filter((one) => !placed.includes(one)).map(({ comment }) => comment);
  const marker = markers.review(runId);
  let isThere = (await host.findOwnReview(pullRequest, marker)) !== undefined;
  if (!isThere) {
    // Where the host refused a line, an earlier try made the threads without a review.
    const missing = await withoutThread(deps, placed);
    const onLines = missing.flatMap(({ place, body }) => ("line" in place ? [{ ...place, body }] : []));
    const body = reviewText.body(marker, outcomes, further);
    try {
      isThere = onLines.length + further.length > 0;
      if (isThere) await host.createReview(pullRequest, head, body, onLines);
    } catch (error) {
      // When the host does not find a line in its diff, the comments go to their files instead.
      if (!isMagisError(error, "HOST_REFUSED") || onLines.length === 0) throw error;
      log.warn({ error }, "the host refused the review's lines; commenting on files instead");
      isThere = further.length > 0;
      if (isThere) await host.createReview(pullRequest, head, body, []);
    }
  }
  try {
    for (const { place, body } of await withoutThread(deps, placed))
      await host.createFileComment(pullRequest, head, place.path, body);
    await settleThreads(deps, placed);
  } catch (error) {
    // Once the review is there, a refusal of the rest is no failure.
    if (!isHostRefusal(error) || !isThere) throw error;
    log.warn({ error }, "the host refused comments or replies of the review; leaving them out");
  }
  return countOpen(outcomes);
}

/**
 * A comment with its place; one about a file that is not in the change goes to the first that is, and names its own.
 */
function placedComment(comment: QaComment, outcome: TaskOutcome, diffs: ReviewInput["diffs"]): PlacedComment {
  const own = placeComment(comment, diffs);
  const [first = comment.path] = diffs.keys();
  return {
    comment,
    body: reviewText.comment(comment, outcome, own === undefined),
    place: own ?? { path: first, file: true },
  };
}

/** The comments that get a thread: when there are too many, the open ones first. */
function chooseThreads(all: readonly PlacedComment[]): readonly PlacedComment[] {
  const [open, settled] = (["open", "settled"] as const).map((status) =>
    all.filter(({ comment }) => comment.status === status),
  );
  const chosen = new Set([...(open ?? []), ...(settled ?? [])].slice(0, MAX_THREADS));
  return all.filter((one) => chosen.has(one));
}

/**
 * Those that have no thread yet: a comment about a whole file, or one whose line the host refused, has none in the
 * review.
 */
async function withoutThread(
  { host, pullRequest }: ReviewInput,
  placed: readonly PlacedComment[],
): Promise<readonly PlacedComment[]> {
  const threads = await host.listThreads(pullRequest);
  return placed.filter(({ comment }) => {
    const mark = comment.shown ? markers.shown(comment.id) : markers.comment(comment.id);
    return !threads.some((thread) => isThreadOf(mark, thread, host.login));
  });
}

/** Replies in, then resolves, the threads of comments that a later round put right. Only the bot's own threads. */
async function settleThreads(
  { host, pullRequest, plan, outcomes }: ReviewInput,
  placed: readonly PlacedComment[],
): Promise<void> {
  const settled = placed.map(({ comment }) => comment).filter(({ status }) => status === "settled");
  if (settled.length === 0) return;
  const threads = await host.listThreads(pullRequest);
  const qaEngineerOf = ({ taskId }: QaComment) =>
    outcomes.find((outcome) => outcome.taskId === taskId)?.qaEngineer.title ?? "";
  for (const comment of settled) {
    const thread = threads.find((one) => isThreadOf(markers.comment(comment.id), one, host.login));
    if (!thread) continue;
    const developer = plan.tasks.find(({ id }) => id === comment.taskId)?.developer.title ?? "Developer";
    const isAnswered = thread.comments.some((one) => isOurs(one, host.login, markers.reply(comment.id)));
    if (!isAnswered) {
      await host.replyToThread(pullRequest, thread, reviewText.reply(comment, developer, qaEngineerOf(comment)));
    }
    if (!thread.resolved) await host.resolveThread(thread);
  }
}

/** Whether the app (`login`) began this thread with that mark. */
function isThreadOf(mark: string, { comments }: ReviewThread, login: string): boolean {
  const [first] = comments;
  return first !== undefined && isOurs(first, login, mark);
}

/** Where a comment goes in a pull request: a line of the new version, or the file as a whole. */
export type CommentPlace = { path: string; line: number; side: "RIGHT" } | { path: string; file: true };

/** What a comment is about: a line of the new version, or the file as a whole. */
export interface CommentTarget {
  path: string;
  line?: number;
}

/**
 * Chooses the place of a QA comment in the final diff: its very line when the diff shows it, else the nearest changed
 * line of the same file (added, or next to removed ones; the upper one of two), else the file as a whole (a deleted or
 * binary file, a comment without a line). Undefined when the file is not in the change.
 * `diffs` has each changed file's unified diff by path; undefined or "" where there is none to show.
 */
export function placeComment(
  { path, line }: CommentTarget,
  diffs: ReadonlyMap<string, string | undefined>,
): CommentPlace | undefined {
  if (!diffs.has(path)) return undefined;
  const hunks = diffLines(diffs.get(path) ?? "");
  if (line === undefined) return { path, file: true };
  if (hunks.some(({ shown }) => shown.includes(line))) return { path, line, side: "RIGHT" };
  let nearest: number | undefined;
  for (const candidate of hunks.flatMap(({ added, nextToRemoved }) => [...added, ...nextToRemoved])) {
    const distance = Math.abs(candidate - line);
    const best = nearest === undefined ? Number.POSITIVE_INFINITY : Math.abs(nearest - line);
    if (distance < best || (distance === best && nearest !== undefined && candidate < nearest)) nearest = candidate;
  }
  return nearest === undefined ? { path, file: true } : { path, line: nearest, side: "RIGHT" };
}
