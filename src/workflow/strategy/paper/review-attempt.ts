import { readText } from "../../../edits/read-text.ts";
import type { TeamView } from "../../../llm/team-view.ts";
import type { IssueSnapshot } from "../../../model/issue-snapshot.ts";
import type { QaComment } from "../../../model/qa-comment.ts";
import type { RoleDescription, Task } from "../../../model/task.ts";
import { numberedExcerpt } from "./numbered-excerpt.ts";
import type { QaEngineer } from "./qa-engineer.ts";

interface ReviewInput {
  readonly issue: IssueSnapshot;
  readonly task: Task;
  readonly team: TeamView;
  readonly qaEngineer: QaEngineer;
  readonly role: RoleDescription;
  readonly round: number;
  readonly rounds: number;
  readonly before?: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  readonly diff: string;
  readonly earlier: readonly QaComment[];
}

/** What P11 made of an attempt, its comments with their places. */
export interface ReviewOfAttempt {
  readonly approved: boolean;
  readonly verdict: string;
  readonly comments: readonly QaComment[];
  /** ids of earlier comments that are put right */
  readonly settled: ReadonlySet<string>;
}

/**
 * Algorithm 3, the QA Engineer's part (P11). New comments mean another round, whatever the decision says; an approval
 * without any settles all that was open.
 */
export async function reviewAttempt(deps: ReviewInput): Promise<ReviewOfAttempt> {
  const { issue, task, team, qaEngineer, role, round, rounds, after, diff, earlier } = deps;
  const lines = (after && readText(after)?.lines) ?? [];
  const review = await qaEngineer.review({
    ...{ issue, task, team, qaEngineer: role, round, lastRound: rounds, diff, earlier },
    excerpt: numberedExcerpt(lines, diff),
    lineCount: lines.length,
  });
  const approved = review.approved && review.comments.length === 0;
  const comments = review.comments.map(({ line, body }, index) => ({
    ...{
      id: `${task.id}-r${round}-${index + 1}`,
      taskId: task.id,
      round,
      path: task.path,
      body,
      status: "open" as const,
    },
    ...(line !== null && after !== undefined && { line }),
  }));
  const settled = approved ? earlier.map(({ id }) => id) : review.settled;
  return { approved, verdict: review.verdict, comments, settled: new Set(settled) };
}
