import { markers } from "../../model/marks.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { PullRequestLink } from "../../model/run-state.ts";
import type { Work } from "../../model/work.ts";
import { checkComment } from "../../report/check-comment.ts";
import { type ChangedFile, changedFiles, diffsOf, wholePlan } from "../change/working-copy.ts";
import { withCheck } from "../publish/check-run.ts";
import { commitMessage, formatting } from "../publish/commit-message.ts";
import { advancePull } from "../publish/land-commit.ts";
import { publishReview } from "../publish/review.ts";
import type { PhaseTools } from "../run/phase-runner.ts";
import type { PlannedRepair } from "./plan-repair.ts";
import { checkNames, type FailingChecks, postCheckComment } from "./read-situation.ts";

interface PublishInput extends PhaseTools {
  readonly request: RunRequest;
  readonly failing: FailingChecks;
  readonly planned: PlannedRepair;
  readonly work: Work;
}

export interface PublishedRepair {
  readonly pullRequest: PullRequestLink;
  readonly openThreads: number;
  readonly commit: string;
}

/**
 * Publishes a repair: one commit on the pull request's branch, the app's check run on it, the QA Engineers' comments as
 * threads, and one comment on what failed and what was done. Done again after a crash, nothing is made twice.
 * Undefined, with nothing published: the pull request was closed, or its branch has gone on meanwhile; whoever moved it
 * brings checks of a new head with it, which are looked at then. "passed": somebody has run the checks again meanwhile,
 * and they are green without it; nothing is published.
 */
export async function publishRepair(deps: PublishInput): Promise<PublishedRepair | "passed" | undefined> {
  const { request, failing, planned, work, repository, host, tracker, settings, log } = deps;
  const { pull, ours, earlier } = failing;
  const { number, url, head } = pull;
  const { title, reason } = planned;
  const plan = wholePlan(planned.plan, work);
  const { outcomes } = work;
  const files = await changedFiles(work.changes, repository);
  if (await passedAgain(deps)) return "passed";
  const id = await commitRepair(deps, files);
  if (id === undefined) return undefined;

  const report = () => ({ what: `Repairs ${count(ours.length)}`, phases: [], outcomes, spend: tracker.state().spend });
  return withCheck({ host, head: id, log, report }, async () => {
    const diffs = diffsOf(files);
    const reviewed = { host, runId: request.root, pullRequest: number, head: id, plan, outcomes, diffs, log };
    const openThreads = outcomes.some(({ comments }) => comments.length > 0) ? await publishReview(reviewed) : 0;
    const rounds = { round: earlier.length + 1, rounds: settings.ciRounds, spend: tracker.state().spend };
    const done = { commit: id, title, outcomes, reason, ...rounds };
    const body = checkComment.repaired({ ...checkNames(failing), ...done });
    await postCheckComment({ host, pullRequest: number, marker: markers.checked(head), body, log });
    return { pullRequest: { number, url }, openThreads, commit: id };
  });
}

async function passedAgain({ failing: { pull, ours }, host }: PublishInput): Promise<boolean> {
  // A commit of an earlier try is told of, whatever has passed since.
  if ((await host.branchTip(pull.branch)) !== pull.head) return false;
  const now = new Map((await host.checksOf(pull.head)).map(({ name, byApp, state }) => [name, !byApp && state]));
  return ours.every(({ name }) => now.get(name) === "passed");
}

async function commitRepair(
  { request, failing, planned, repository, host, settings, log, record }: PublishInput,
  files: readonly ChangedFile[],
): Promise<string | undefined> {
  const { pull } = failing;
  const { number } = pull;
  if (!(await host.readPullRequest(number)).open) return undefined;
  const { title, reason } = planned;
  const description = { type: "fix", title, problem: "", solution: reason, template: "" } as const;
  const style = { settings, login: host.login };
  const message = formatting(commitMessage(description, number, false).message, number, style);
  const input = { runId: request.root, date: new Date(request.requestedAt), pull, files, message };
  const commit = await advancePull({ ...input, repository, host, log });
  if (commit) await record("commit", { ...commit, title });
  return commit?.id;
}

const count = (checks: number) => (checks === 1 ? "one failing check" : `${checks} failing checks`);
