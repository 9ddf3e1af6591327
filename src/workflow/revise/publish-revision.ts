import { unifiedDiff } from "../../edits/unified-diff.ts";
import { createManager } from "../../llm/manager.ts";
import { isMagisError } from "../../model/magis-error.ts";
import type { RunRequest } from "../../model/run-request.ts";
import { type ChangedFile, changedFiles } from "../change/changed-files.ts";
import { wholePlan } from "../change/whole-plan.ts";
import { advanceCommit } from "../publish/advance-commit.ts";
import { describeWork } from "../publish/describe-work.ts";
import { findOwnCommit } from "../publish/find-own-commit.ts";
import { formatting } from "../publish/formatting.ts";
import { publishReview } from "../publish/publish-review.ts";
import type { Work } from "../run/coding.ts";
import type { PhaseTools } from "../run/create-phase-runner.ts";
import { answersOf } from "./answers-of.ts";
import { giveAnswers } from "./give-answers.ts";
import type { Revision } from "./plan-revision.ts";
import type { Batch } from "./read-feedback.ts";
import { revisionMessage } from "./revision-message.ts";
import { showRevision } from "./show-revision.ts";
import { tellRevision } from "./tell-revision.ts";

interface PublishInput {
  readonly request: RunRequest;
  readonly batch: Batch;
  readonly revision: Revision;
  readonly work: Work;
}

/** `undone`: nothing was published, since the branch has moved since it was read, or the pull request was closed. */
export type PublishedRevision =
  | { readonly commit?: string; readonly answers: number; readonly openThreads: number }
  | { readonly undone: "moved" | "closed" };

/**
 * Publishes a revision: one commit on the branch, never forced; one reply in each thread; one answer to all comments;
 * review threads for the QA Engineers' new comments; the pull request's body and the tracking comment. Everything is
 * looked up before it is made.
 */
export async function publishRevision(input: PublishInput, tools: PhaseTools): Promise<PublishedRevision> {
  const { request, batch, revision, work } = input;
  const { host, repository, log } = tools;
  const { number } = batch.pull;
  if (!(await host.readPullRequest(number)).open) return { undone: "closed" };
  const files = await changedFiles(work.changes, repository);
  const diffs = new Map(files.map(({ path, before, after }) => [path, unifiedDiff(path, before, after)]));
  let commit: string | undefined;
  try {
    commit = files.length === 0 ? undefined : await commitRevision(input, tools, files, diffs);
  } catch (error) {
    if (!isMagisError(error, "GIT_BRANCH_MOVED")) throw error;
    const tree = await repository.writeTree(files.map(({ path, after }) => ({ path, content: after ?? null })));
    commit = await findOwnCommit(host, batch.pull, tree);
    if (commit === undefined) {
      log.info({ run: request.id, pullRequest: number }, "the branch has moved; it is read again");
      return { undone: "moved" };
    }
  }
  const answers = answersOf(batch, revision, work, commit);
  await giveAnswers(host, number, answers, commit);
  const outcomes = newComments(input);
  if (commit !== undefined && outcomes.length > 0) {
    const review = {
      host,
      runId: request.id,
      pullRequest: number,
      head: commit,
      plan: wholePlan(revision.plan, work),
      diffs,
      log,
    };
    await publishReview({ ...review, outcomes });
  }
  const openThreads = await tellRevision({ request, batch, answers, commit }, tools);
  await showRevision({ batch, work, commit }, tools);
  return { ...(commit && { commit }), answers: answers.threads.length + answers.comments.length, openThreads };
}

async function commitRevision(
  { request, batch, work }: PublishInput,
  { host, repository, log, prompts, record, settings }: PhaseTools,
  files: readonly ChangedFile[],
  diffs: ReadonlyMap<string, string>,
): Promise<string> {
  const { pull, feedback, origin } = batch;
  const { issue } = origin;
  const manager = createManager(prompts);
  const style = { settings, login: host.login };
  const words = await describeWork({ manager, issue, outcomes: work.outcomes, diffs, template: "", log });
  const commit = await advanceCommit({
    ...{ runId: request.id, date: new Date(request.requestedAt), branch: pull.branch, head: pull.head, files },
    ...{
      message: formatting(revisionMessage(words, issue.number, feedback), issue.number, style),
      repository,
      host,
      log,
    },
  });
  await record("commit", commit);
  return commit.id;
}

/** The outcomes with what QA has newly to say; what was inherited has its thread already. */
function newComments({ batch, work }: PublishInput) {
  const inherited = new Set(batch.feedback.threads.map(({ id }) => id));
  return work.outcomes
    .map((outcome) => ({ ...outcome, comments: outcome.comments.filter(({ id }) => !inherited.has(id)) }))
    .filter(({ comments }) => comments.length > 0);
}
