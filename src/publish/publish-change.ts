import { createHash } from "node:crypto";
import { staleFiles } from "../change/generated-files.ts";
import { type ChangedFile, changedFiles, diffsOf, wholePlan } from "../change/working-copy.ts";
import { newTestsOf } from "../checks/test-logs/new-tests.ts";
import type { SourceParser } from "../code/source-parser.ts";
import type { IssueSnapshot } from "../data/discussion.ts";
import { MagisError } from "../data/error.ts";
import { branchOf, markers } from "../data/marks.ts";
import type { MadePlan } from "../data/plan.ts";
import { lastingWords } from "../data/request-options.ts";
import type { Base } from "../data/run-record.ts";
import type { RunRequest } from "../data/run-request.ts";
import type { PullRequestLink } from "../data/run-state.ts";
import type { NewTest } from "../data/verdict.ts";
import type { TaskOutcome, Work } from "../data/work.ts";
import type { CodeHost, NewPullRequest } from "../github/code-host.ts";
import { createManager } from "../models/agents.ts";
import { disclosureLine, type Making } from "../report/disclosure.ts";
import { type CheckedChange, proofBlock, untested } from "../report/proof.ts";
import { type PullRequestContent, pullRequestBody, referenceOf } from "../report/pull-request-body.ts";
import type { PhaseContext } from "../run/run-context.ts";
import { editedSince } from "../run/snapshot-issue.ts";
import { type Moment, momentNow } from "../run/steady-time.ts";
import { withCheck } from "./check-run.ts";
import { messageFor } from "./commit-message.ts";
import { describeWork, pullRequestTemplate } from "./describe-work.ts";
import { advancePull, type PublishedCommit, publishCommit } from "./land-commit.ts";
import { publishReview } from "./review.ts";

interface PublishInput extends PhaseContext {
  issue: IssueSnapshot;
  base: Base;
  plan: MadePlan;
  work: Work;
  /** what the body says of how the change was tested, between its marks */
  proof?: string;
  /** what a command that was run here has said of the change */
  checked?: CheckedChange;
  /** the test that was pushed before, onto which the change goes */
  onto?: PublishedTest;
}

/**
 * Publishes the repository-level change: commit and branch, pull request, the QA Engineers' review threads. It looks
 * everything up before making it, so that running the phase again after a crash makes nothing twice.
 */
export async function publishChange(
  deps: PublishInput,
): Promise<{ pullRequest: PullRequestLink; openThreads: number; head: string }> {
  const { request, issue, base, work, repository, host, settings, tracker, log, record, onto } = deps;
  const plan = wholePlan(deps.plan, work);
  const files = await changedFiles(work.changes, repository);
  const diffs = new Map([...(onto?.diffs ?? []), ...diffsOf(files)]);
  const making = makingOf(deps);
  const outcomes = [...(onto?.outcomes ?? []), ...work.outcomes];
  const description = await describeWork({
    manager: createManager(deps.prompts),
    issue,
    outcomes,
    diffs,
    template: await pullRequestTemplate(repository),
    disclosure: disclosureLine(making),
    planned: deps.plan.description,
    log,
  });
  const staysOpen = settings.baseBranch !== undefined && (await host.defaultBranch()).name !== base.branch;
  const reference = referenceOf({ plan, outcomes: work.outcomes, staysOpen });
  const { message, title } = await messageFor(deps, { description, about: issue, reference, policy: plan.policy });
  const changed = [...(onto?.files ?? []), ...files].map(({ path }) => path);
  const closes = reference === "Fixes" ? issue.number : undefined;
  const commit = await publishFiles(deps, files, { message, closes });
  await record("commit", { id: commit.id, branch: commit.branch, way: commit.way, title });
  return withCheck(deps, { head: commit.id, what: `For #${issue.number}`, outcomes }, async () => {
    const pullRequest = await openPullRequest({
      host,
      marker: markers.run(request.root),
      head: commit.id,
      title,
      branch: commit.branch,
      base: base.branch,
      draft: settings.draft,
      body: await bodyOf(deps, {
        description,
        plan,
        outcomes,
        staysOpen,
        making,
        commitWay: commit.way,
        edited: editedSince(issue, await host.readIssue(issue.number)),
        stale: await staleFiles(changed, await repository.landed(), repository),
      }),
      onto: onto?.pullRequest.number,
    });
    await tracker.pullRequest(pullRequest);
    const runId = request.root;
    const reviewed = { host, runId, pullRequest: pullRequest.number, head: commit.id, plan, outcomes, diffs, log };
    const openThreads = await publishReview(reviewed);
    await tracker.conclude(`#${pullRequest.number}, commit ${commit.way}${onOther(commit)}`);
    return { pullRequest, openThreads, head: commit.id };
  });
}

async function bodyOf(
  { request, issue, host, tracker, work, spendByRole, spentOn, ...deps }: PublishInput,
  made: Omit<PullRequestContent, "marker" | "issue" | "proof" | "publishedBy" | "cost" | "unfollowed" | "page">,
): Promise<string> {
  return pullRequestBody({
    ...made,
    marker: marksOf(request),
    issue: issue.number,
    proof: deps.proof ?? proofBlock({ unproved: untested.beforehand, keep: false }, deps.checked),
    publishedBy: host.author === undefined ? "bot" : "person",
    cost: { spend: tracker.state().spend, byRole: await spendByRole(), inAll: await spentOn([issue.number]) },
    unfollowed: work.unfollowed,
    page: request.page,
  });
}

/** The marks at the beginning of the pull request's body. */
function marksOf({ root, options }: RunRequest): string {
  const words = options ? lastingWords(options) : [];
  return words.length === 0 ? markers.run(root) : `${markers.run(root)}\n${markers.options(words)}`;
}

/** A person who publishes from their own machine is the author: the pull request says who asked. */
const makingOf = ({ request, plan, models, host }: PublishInput): Making => ({
  models,
  askedBy: host.author === undefined ? request.actor : undefined,
  policy: plan.policy,
});

/** Names the branch when the wanted one was taken. */
const onOther = ({ branch, taken }: PublishedCommit) => (taken ? `, on \`${branch}\` since ${taken}` : "");

/** Commits a change to a branch of its own, or to that of the test pushed before. Throws GIT_BRANCH_MOVED. */
async function publishFiles(
  { request, issue, base, repository, host, settings, log, onto }: Omit<PublishInput, "work" | "plan">,
  files: readonly ChangedFile[],
  words: { message: string; closes?: number },
): Promise<PublishedCommit> {
  const common = { runId: request.root, date: new Date(request.requestedAt), files, ...words, repository, host, log };
  if (!onto) return publishCommit({ ...common, name: branchOf(settings.branch, issue.number, issue.title), base });
  const pull = { number: onto.pullRequest.number, branch: onto.branch, head: onto.commit };
  const commit = await advancePull({ ...common, pull });
  if (commit) return commit;
  throw new MagisError("GIT_BRANCH_MOVED", `The branch ${onto.branch} has moved while the work went on.`);
}

/** A test that was pushed before its fix. Plain data. */
export interface PublishedTest {
  pullRequest: PullRequestLink;
  branch: string;
  commit: string;
  /** the tests that it brings */
  tests: readonly NewTest[];
  /** each of its files with its new git blob; null: deleted */
  files: readonly { path: string; blob: string | null }[];
  diffs: readonly (readonly [string, string])[];
  outcomes: readonly TaskOutcome[];
  /** when it was pushed */
  at: Moment;
}

/**
 * Pushes the regression test alone, as a commit of its own that opens the draft, or on top of an earlier one that it
 * replaces. Running it again after a crash makes nothing twice.
 */
export async function publishTest(deps: PublishInput): Promise<PublishedTest> {
  const { request, issue, base, plan, work, repository, host, tracker, onto } = deps;
  const files = await changedFiles(work.changes, repository);
  const { title = issue.title, scope = "" } = plan.description ?? {};
  const what = {
    type: "test",
    scope,
    title,
    problem: "",
    template: "",
    solution: "The test of the fix, without the fix.",
  } as const;
  const { policy } = plan;
  const written = await messageFor(deps, { description: what, about: issue, reference: "Part of", policy });
  const commit = await publishFiles(deps, files, { message: written.message });
  const pullRequest = await openPullRequest({
    host,
    marker: markers.run(request.root),
    head: commit.id,
    title: written.title,
    draft: true,
    branch: commit.branch,
    base: base.branch,
    onto: onto?.pullRequest.number,
    body: [marksOf(request), `Part of #${issue.number}`, deps.proof].join("\n\n"),
  });
  await tracker.pullRequest(pullRequest);
  await tracker.conclude(`#${pullRequest.number}, the test alone${onOther(commit)}`);
  const found = await Promise.all(files.map((file) => testsOf(file, deps.parser, onto?.tests)));
  return {
    pullRequest,
    branch: commit.branch,
    commit: commit.id,
    at: momentNow(),
    outcomes: work.outcomes,
    tests: found.flat(),
    files: files.map(({ path, after }) => ({ path, blob: after === undefined ? null : blobId(after) })),
    diffs: [...diffsOf(files)],
  };
}

/** The tests of a file that are new to the base. `earlier`: those that were when the file was pushed before. */
async function testsOf(
  { path, before, after }: ChangedFile,
  parser: SourceParser,
  earlier: readonly NewTest[] = [],
): Promise<readonly NewTest[]> {
  const parsed = async (content: Uint8Array) => {
    const text = new TextDecoder().decode(content);
    return { text, symbols: await parser.symbols(path, text) };
  };
  if (after === undefined) return [];
  const now = await parsed(after);
  const changed = newTestsOf(path, before && (await parsed(before)), now);
  const known = earlier.filter((test) => test.path === path);
  if (known.length === 0) return changed;
  const same = (a: NewTest) => (b: NewTest) => a.name === b.name && a.within.join("\n") === b.within.join("\n");
  return newTestsOf(path, undefined, now).flatMap((test) => known.find(same(test)) ?? changed.find(same(test)) ?? []);
}

/** Git's id of a file's content. */
const blobId = (content: Uint8Array) =>
  createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");

/** Opens the run's pull request, or finds by its marker the one that an earlier try opened. */
async function openPullRequest({
  host,
  marker,
  head,
  onto,
  ...content
}: NewPullRequest & {
  host: CodeHost;
  marker: string;
  /** the commit that it is to have */
  head: string;
  onto?: number;
}): Promise<PullRequestLink> {
  if (onto !== undefined) {
    await host.updatePullRequest(onto, { title: content.title, body: content.body });
    const { number, url } = await host.readPullRequest(onto);
    return { number, url };
  }
  // One that was taken back may have its mark again, by a write that took effect late.
  const known = (await host.findOwnPullRequests(content.branch, "all")).find(
    (pull) => pull.branch === content.branch && pull.body.includes(marker) && (pull.open || pull.head === head),
  );
  const { number, url } = known ?? (await host.openPullRequest(content));
  return { number, url };
}
