import { unifiedDiff } from "../../../edits/diff.ts";
import { numberedSpans, showFile } from "../../../edits/numbered.ts";
import { readText } from "../../../edits/text-file.ts";
import type { PreviousRound, TeamView } from "../../../llm/agents.ts";
import type { IssueSnapshot } from "../../../model/discussion.ts";
import type { Task } from "../../../model/plan.ts";
import {
  type Attempt,
  type Inheritance,
  openComments,
  type QaComment,
  type TaskOutcome,
  withReplies,
} from "../../../model/work.ts";
import type { Repository } from "../../../ports/repository.ts";
import type { SourceParser } from "../../../ports/source-parser.ts";
import { whyLeftAlone } from "../../change/generated-files.ts";
import type { FinishedTask, WorkingCopy } from "../../change/working-copy.ts";
import { REVIEW_ROUNDS } from "../../run/strategy.ts";
import type { ChangeUnderReview, PaperDeveloper, PaperQaEngineer } from "./agents.ts";
import { attemptChange } from "./attempt.ts";

interface ResolveTaskInput {
  readonly issue: IssueSnapshot;
  readonly task: Task;
  readonly team: TeamView;
  readonly copy: WorkingCopy;
  readonly repository: Repository;
  readonly parser: SourceParser;
  readonly agents: { readonly developer: PaperDeveloper; readonly qaEngineer: PaperQaEngineer };
  /** false in the paper's ablation without QA */
  readonly reviewed: boolean;
  /** if it has no QA Engineer, the Developer describes one (P8) */
  readonly inherited?: Inheritance | undefined;
}

/**
 * Algorithm 3 for one task: the Developer designs its QA Engineer (P8); then, up to `REVIEW_ROUNDS` times, it changes
 * the file (P9, P10) and QA reviews the change (P11). Each round gets the last review's comments and starts from the
 * file as it was before the task; the task's change is the last one that applied.
 */
export async function resolveTask(deps: ResolveTaskInput): Promise<FinishedTask> {
  const { issue, task, team, copy, agents, repository, inherited = {} } = deps;
  const { developer, qaEngineer } = agents;
  const before = await copy.read(task.path);
  const leftAlone = await whyLeftAlone(task, before, repository);
  const reviews = deps.reviewed && leftAlone === undefined;
  const describe = () => developer.describeQaEngineer(issue, task, showFile(task.path, before));
  const role = inherited.qaRole ?? (reviews ? await describe() : { title: "", description: "" });
  const attempts: Attempt[] = [];
  const reviewed = new Map<number, Uint8Array | undefined>();
  // Another round cannot improve a deletion: QA's objections are for the maintainer.
  const lastRound = task.action === "delete" || !reviews ? 1 : REVIEW_ROUNDS;
  const replies: Record<string, string> = {};
  let comments: readonly QaComment[] = inherited.earlier ?? [];
  let previous: PreviousRound | null = null;
  let change: { after: Uint8Array | undefined; diff: string; summary: string } | undefined;
  if (leftAlone !== undefined) return finished("unchanged", leftAlone);

  for (let round = 1; round <= lastRound; round++) {
    const attempt = await attemptChange({ ...deps, developer, before, previous });
    if ("rejected" in attempt) {
      attempts.push({ round, diff: "", approved: false, verdict: "", rejected: attempt.rejected });
      previous = { diff: change?.diff ?? "", comments: openComments(comments), reason: attempt.rejected };
      continue;
    }
    comments = withReplies(comments, attempt.replies);
    for (const id of task.threads ?? []) replies[id] = attempt.replies.get(id) ?? replies[id] ?? "";
    if ("unchanged" in attempt) {
      // A first round has nothing to do. Later the Developer stands by its change, and QA judges its replies.
      if (!change) return finished("unchanged", attempt.unchanged);
    } else {
      change = { after: attempt.after, diff: unifiedDiff(task.path, before, attempt.after), summary: attempt.summary };
    }
    reviewed.set(round, change.after);
    if (!reviews) {
      attempts.push({ round, diff: change.diff, approved: false, verdict: "" });
      break;
    }
    const earlier = openComments(comments);
    const shown = { issue, task, team, qaEngineer: role, round, lastRound, diff: change.diff, earlier };
    const review = await reviewAttempt(shown, change.after, qaEngineer);
    comments = [...settle(comments, review.settled), ...review.comments];
    attempts.push({ round, diff: change.diff, approved: review.approved, verdict: review.verdict });
    if (review.approved) break;
    previous = { diff: change.diff, comments: openComments(comments), reason: review.verdict };
  }
  if (!change) return finished("failed", attempts.at(-1)?.rejected ?? "");
  copy.write(task.path, change.after);
  return finished(reviews && openComments(comments).length === 0 ? "approved" : "open", change.summary);

  function finished(status: TaskOutcome["status"], summary: string): FinishedTask {
    const writer = task.action === "delete" ? ("manager" as const) : ("developer" as const);
    const outcome = {
      taskId: task.id,
      path: task.path,
      status,
      qaEngineer: role,
      attempts,
      comments,
      summary,
      writers: change && [writer],
      replies: task.threads && replies,
    };
    return { outcome, diff: change?.diff ?? "", reviewed };
  }
}

function settle(comments: readonly QaComment[], settled: ReadonlySet<string>): readonly QaComment[] {
  return comments.map((comment) => (settled.has(comment.id) ? { ...comment, status: "settled" as const } : comment));
}

/** P11's review of an attempt. */
export interface ReviewOfAttempt {
  readonly approved: boolean;
  readonly verdict: string;
  readonly comments: readonly QaComment[];
  /** ids of earlier comments that were dealt with */
  readonly settled: ReadonlySet<string>;
}

/**
 * Algorithm 3, the QA Engineer's part (P11). New comments mean another round, whatever the decision; an approval
 * without comments settles all open ones.
 */
async function reviewAttempt(
  change: Omit<ChangeUnderReview, "excerpt" | "lineCount">,
  after: Uint8Array | undefined,
  qaEngineer: PaperQaEngineer,
): Promise<ReviewOfAttempt> {
  const { task, round, diff, earlier } = change;
  const lines = (after && readText(after)?.lines) ?? [];
  const excerpt = numberedExcerpt(lines, diff);
  const review = await qaEngineer.review({ ...change, excerpt, lineCount: lines.length });
  const approved = review.approved && review.comments.length === 0;
  const comments = review.comments.map(({ line, body }, index) => ({
    id: `${task.id}-r${round}-${index + 1}`,
    taskId: task.id,
    round,
    path: task.path,
    body,
    status: "open" as const,
    line: line === null || after === undefined ? undefined : line,
  }));
  const settled = approved ? earlier.map(({ id }) => id) : review.settled;
  return { approved, verdict: review.verdict, comments, settled: new Set(settled) };
}

/** How many lines are shown around each change. */
const AROUND = 12;

/**
 * The changed places of a new version, numbered, with lines around each and marked gaps; "" for a deleted file. `diff`
 * is the unified diff from the old version.
 */
function numberedExcerpt(lines: readonly string[], diff: string): string {
  const places = [...diff.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].map(([, start, count]) => ({
    start: Number(start) - AROUND,
    end: Number(start) + Number(count ?? 1) - 1 + AROUND,
  }));
  return numberedSpans(lines, places);
}
