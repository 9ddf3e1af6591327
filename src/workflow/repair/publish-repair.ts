import { unifiedDiff } from "../../domain/edit/unified-diff.ts";
import { checkComment } from "../../domain/report/check-comment.ts";
import { markers } from "../../domain/report/markers.ts";
import type { RunRequest } from "../../domain/run/run-request.ts";
import type { PullRequestLink } from "../../domain/run/run-result.ts";
import type { Work } from "../code/write-code.ts";
import type { PhaseTools } from "../create-phase-runner.ts";
import { advanceCommit } from "../publish/advance-commit.ts";
import { changedFiles } from "../publish/changed-files.ts";
import { commitMessage } from "../publish/commit-message.ts";
import { houseStyle } from "../publish/house-style.ts";
import { publishReview } from "../publish/publish-review.ts";
import { withCheck } from "../publish/with-check.ts";
import { failingWords } from "./failing-words.ts";
import type { PlannedRepair } from "./plan-repair.ts";
import { postCheckComment } from "./post-check-comment.ts";
import type { Failing } from "./situation.ts";

/**
 * Publishes a repair: one commit on the pull request's branch, the app's check run on it, the QA Engineers' comments as
 * threads, and one comment on what failed and what was done. Done again after a crash, nothing is made twice.
 * Throws GIT_BRANCH_MOVED when the branch has gone on meanwhile.
 */
export async function publishRepair(
  deps: PhaseTools & {
    readonly request: RunRequest;
    readonly failing: Failing;
    readonly planned: PlannedRepair;
    readonly work: Work;
  },
): Promise<{ readonly pullRequest: PullRequestLink; readonly openThreads: number; readonly commit: string }> {
  const { request, failing, planned, work, repository, host, tracker, settings, log } = deps;
  const { pull, ours, earlier } = failing;
  const { number, url, branch, head } = pull;
  const { plan, title, reason } = planned;
  const { outcomes } = work;
  const files = await changedFiles(work.changes, repository);
  const words = { type: "fix", title, problem: "", solution: reason, template: "" } as const;
  const style = { settings, login: host.login };
  const message = houseStyle(commitMessage(words, number, false).message, number, style);
  const date = new Date(request.requestedAt);
  const commit = await advanceCommit({
    runId: request.root,
    date,
    branch,
    head,
    files,
    message,
    repository,
    host,
    log,
  });
  await deps.record("commit", { ...commit, title });

  const report = () => ({ what: `Repairs ${count(ours.length)}`, phases: [], outcomes, spend: tracker.state().spend });
  return withCheck({ host, head: commit.id, log, report }, async () => {
    const diffs = new Map(files.map(({ path, before, after }) => [path, unifiedDiff(path, before, after)]));
    const reviewed = { host, runId: request.root, pullRequest: number, head: commit.id, plan, outcomes, diffs, log };
    const openThreads = outcomes.some(({ comments }) => comments.length > 0) ? await publishReview(reviewed) : 0;
    const rounds = { round: earlier.length + 1, rounds: settings.ciRounds, spend: tracker.state().spend };
    const done = { commit: commit.id, title, outcomes, reason, ...rounds };
    const body = checkComment.repaired({ ...failingWords(failing), ...done });
    await postCheckComment({ host, pullRequest: number, marker: markers.checked(head), body, log });
    return { pullRequest: { number, url }, openThreads, commit: commit.id };
  });
}

const count = (checks: number) => (checks === 1 ? "one failing check" : `${checks} failing checks`);
