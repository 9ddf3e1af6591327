import type { z } from "zod";
import { ReviewShape, WorkReviewShape } from "../../../llm/answers.ts";
import type { Check, PromptRunner } from "../../../llm/prompt-runner.ts";
import type { TeamView } from "../../../llm/team-view.ts";
import type { Toolset } from "../../../llm/tool.ts";
import type { IssueSnapshot } from "../../../model/issue-snapshot.ts";
import type { QaComment } from "../../../model/qa-comment.ts";
import type { RoleDescription, Task } from "../../../model/task.ts";

export type Review = z.infer<typeof ReviewShape>;

export type WorkReview = z.infer<typeof WorkReviewShape>;

/** The repository-level change as the QA Engineers review it. */
export interface WorkUnderReview {
  readonly issue: IssueSnapshot;
  /** the cause, as the Manager found it */
  readonly reason: string;
  readonly agreed: string;
  readonly changes: readonly {
    readonly task: Task;
    readonly qaEngineer: RoleDescription;
    /** in the Developer's words */
    readonly summary: string;
    /** the changed places of the task's file, as `numberedDiff` gives them; "" when nothing was changed */
    readonly diff: string;
  }[];
  /** declarations of the changed files that the change or its cause names, and the diffs do not show; "" for none */
  readonly called: string;
  /** where the rest of the repository uses what changed; "" when nowhere */
  readonly uses: string;
  /** the repository has tests */
  readonly tests: boolean;
  readonly round: number;
  readonly lastRound: number;
  /** comments of earlier rounds that are still open */
  readonly earlier: readonly QaComment[];
}

export interface ChangeUnderReview {
  readonly issue: IssueSnapshot;
  readonly task: Task;
  readonly team: TeamView;
  readonly qaEngineer: RoleDescription;
  readonly round: number;
  readonly lastRound: number;
  /** unified diff of the task's file */
  readonly diff: string;
  /** the changed places of the new file, numbered; "" for a deleted file */
  readonly excerpt: string;
  /** lines of the new file */
  readonly lineCount: number;
  /** comments of earlier rounds that are still open */
  readonly earlier: readonly QaComment[];
}

/** The QA Engineer (3.1) paired with one Developer. */
export interface QaEngineer {
  /** P11 for the change as a whole; `check` says what is wrong with the review. */
  reviewWork(work: WorkUnderReview, check: Check<WorkReview>, toolset?: Toolset): Promise<WorkReview>;
  /** P11: comments, which earlier ones are settled, and the decision */
  review(change: ChangeUnderReview): Promise<Review>;
}

export function createQaEngineer(prompts: PromptRunner): QaEngineer {
  return {
    reviewWork(work, check, toolset) {
      return prompts.ask("p11-review-work", { ...work, turns: toolset?.turns ?? 0 }, WorkReviewShape, check, toolset);
    },
    review({ lineCount, team, ...change }) {
      return prompts.ask(
        "p11-review-change",
        { ...change, ...team },
        ReviewShape,
        ({ approved, comments, settled }) => {
          const open = change.earlier.filter(({ id }) => !settled.includes(id));
          if (!approved && comments.length === 0 && open.length === 0) {
            return "A change that is not approved needs at least one comment that says what must be put right.";
          }
          // A file that is gone has no lines: what is said of one is about the file.
          const outside = comments.find(({ line }) => lineCount > 0 && line !== null && (line < 1 || line > lineCount));
          return outside ? `Line ${outside.line} is not in the file, which has ${lineCount} lines.` : undefined;
        },
      );
    },
  };
}
