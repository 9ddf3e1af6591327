import { unifiedDiff } from "../../edits/unified-diff.ts";
import { createManager } from "../../llm/manager.ts";
import type { PromptRunner } from "../../llm/prompt-runner.ts";
import { branchOf } from "../../model/branch-of.ts";
import type { IssueSnapshot } from "../../model/issue-snapshot.ts";
import { markers } from "../../model/markers.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { PullRequestLink } from "../../model/run-result.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { Log } from "../../ports/log.ts";
import type { Repository } from "../../ports/repository.ts";
import { isWhole, pullRequestBody, type RoleSpend } from "../../report/pull-request-body.ts";
import { changedFiles } from "../change/changed-files.ts";
import { wholePlan } from "../change/whole-plan.ts";
import type { Base } from "../run/base.ts";
import type { Work } from "../run/coding.ts";
import type { RunSettings } from "../run/run-tools.ts";
import type { Tracker } from "../run/tracker.ts";
import type { MadePlan } from "../strategy/make-plan.ts";
import { commitMessage } from "./commit-message.ts";
import { describeWork } from "./describe-work.ts";
import { formatting } from "./formatting.ts";
import { openPullRequest } from "./open-pull-request.ts";
import { publishCommit } from "./publish-commit.ts";
import { publishReview } from "./publish-review.ts";
import { pullRequestTemplate } from "./pull-request-template.ts";
import { withCheck } from "./with-check.ts";

interface PublishInput {
  readonly request: RunRequest;
  readonly issue: IssueSnapshot;
  readonly base: Base;
  readonly plan: MadePlan;
  readonly work: Work;
  readonly settings: Pick<RunSettings, "draft" | "branch" | "commit" | "signOff">;
  readonly repository: Repository;
  readonly prompts: PromptRunner;
  readonly host: CodeHost;
  readonly tracker: Pick<Tracker, "detail" | "pullRequest" | "state">;
  readonly log: Log;
  record(part: string, value: unknown): Promise<void>;
  spendByRole(): Promise<readonly RoleSpend[]>;
}

/**
 * Publishes the repository-level change: commit and branch, pull request, the QA Engineers' review threads. Everything
 * is looked up before it is made, so that the phase can be run again after a crash without making anything twice.
 */
export async function publishChange(
  deps: PublishInput,
): Promise<{ pullRequest: PullRequestLink; openThreads: number }> {
  const { request, issue, base, work, repository, host, settings, tracker, log, record } = deps;
  const plan = wholePlan(deps.plan, work);
  const files = await changedFiles(work.changes, repository);
  const diffs = new Map(files.map(({ path, before, after }) => [path, unifiedDiff(path, before, after)]));
  const template = await pullRequestTemplate(repository);
  const words = await describeWork({
    manager: createManager(deps.prompts),
    issue,
    outcomes: work.outcomes,
    diffs,
    ...{ template, planned: deps.plan.words, log },
  });
  const { message: plain } = commitMessage(words, issue.number, isWhole(work.outcomes));
  const message = formatting(plain, issue.number, {
    ...{ settings, login: host.login },
    ...(host.author && { author: host.author }),
  });
  const title = message.split("\n")[0] ?? "";

  const commit = await publishCommit({
    runId: request.root,
    date: new Date(request.requestedAt),
    name: branchOf(settings.branch, issue.number, issue.title),
    base,
    files,
    message,
    repository,
    host,
    log,
  });
  await record("commit", { ...commit, title });
  const { outcomes } = work;
  const report = () => ({ what: `Resolves #${issue.number}`, ...pick(tracker.state()), outcomes });
  return withCheck({ host, head: commit.id, log, report }, async () => {
    const marker = markers.run(request.root);
    const pullRequest = await openPullRequest({
      ...{ host, marker, title, branch: commit.branch, base: base.branch, draft: settings.draft },
      body: pullRequestBody({
        ...{ marker, issue: issue.number, words, plan, outcomes, commitWay: commit.way },
        spend: tracker.state().spend,
        callsByRole: await deps.spendByRole(),
      }),
    });
    await tracker.pullRequest(pullRequest);
    const runId = request.root;
    const reviewed = { host, runId, pullRequest: pullRequest.number, head: commit.id, plan, outcomes, diffs, log };
    const openThreads = await publishReview(reviewed);
    await tracker.detail(`#${pullRequest.number}, commit ${commit.way}`);
    return { pullRequest, openThreads };
  });
}

const pick = ({ phases, spend }: ReturnType<Tracker["state"]>) => ({ phases, spend });
