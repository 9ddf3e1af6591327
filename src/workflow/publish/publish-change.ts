import { createManager } from "../../llm/agents.ts";
import type { PromptRunner } from "../../llm/prompt-runner.ts";
import type { IssueSnapshot } from "../../model/discussion.ts";
import { branchOf, markers } from "../../model/marks.ts";
import type { MadePlan } from "../../model/plan.ts";
import type { Base, KeepPart } from "../../model/run-record.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { PullRequestLink } from "../../model/run-state.ts";
import type { RunSettings } from "../../model/settings.ts";
import type { Work } from "../../model/work.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { Log } from "../../ports/log.ts";
import type { NewPullRequest, PullRequestApi } from "../../ports/pull-requests.ts";
import type { Repository } from "../../ports/repository.ts";
import { isWhole, pullRequestBody, type RoleSpend } from "../../report/pull-request-body.ts";
import { changedFiles, diffsOf, wholePlan } from "../change/working-copy.ts";
import type { Tracker } from "../run/tracker.ts";
import { withCheck } from "./check-run.ts";
import { commitMessage, formatting } from "./commit-message.ts";
import { describeWork, pullRequestTemplate } from "./describe-work.ts";
import { publishCommit } from "./land-commit.ts";
import { publishReview } from "./review.ts";

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
  readonly record: KeepPart;
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
  const diffs = diffsOf(files);
  const template = await pullRequestTemplate(repository);
  const description = await describeWork({
    manager: createManager(deps.prompts),
    issue,
    outcomes: work.outcomes,
    diffs,
    ...{ template, planned: deps.plan.description, log },
  });
  const { message: plain } = commitMessage(description, issue.number, isWhole(work.outcomes));
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
        ...{ marker, issue: issue.number, description, plan, outcomes, commitWay: commit.way },
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

/** Opens the run's pull request, or finds the one that an earlier try of the same run opened (by its marker). */
async function openPullRequest({
  host,
  marker,
  ...content
}: NewPullRequest & { readonly host: PullRequestApi; readonly marker: string }): Promise<PullRequestLink> {
  const known = (await host.findOwnPullRequests(content.branch, "all")).find(
    ({ branch, body }) => branch === content.branch && body.includes(marker),
  );
  const { number, url } = known ?? (await host.openPullRequest(content));
  return { number, url };
}
