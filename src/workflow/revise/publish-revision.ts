import { type ChangeDescription, createManager } from "../../llm/agents.ts";
import type { Feedback } from "../../model/discussion.ts";
import type { RunRequest } from "../../model/run-request.ts";
import { countOpen, type Work } from "../../model/work.ts";
import { neutraliseMessage } from "../../text/neutralise.ts";
import { type ChangedFile, changedFiles, diffsOf, wholePlan } from "../change/working-copy.ts";
import { showCheck } from "../publish/check-run.ts";
import { commitMessage, formatting } from "../publish/commit-message.ts";
import { describeWork } from "../publish/describe-work.ts";
import { markReady } from "../publish/follow-up.ts";
import { advancePull } from "../publish/land-commit.ts";
import { publishReview } from "../publish/review.ts";
import type { PhaseTools } from "../run/phase-runner.ts";
import { answersOf, giveAnswers, tellRevision } from "./answers.ts";
import type { Revision } from "./plan-revision.ts";
import type { Batch } from "./read-feedback.ts";

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
  const diffs = diffsOf(files);
  const commit = files.length === 0 ? undefined : await commitRevision(input, tools, files, diffs);
  if (files.length > 0 && commit === undefined) {
    log.info({ run: request.id, pullRequest: number }, "the branch has moved; it is read again");
    return { undone: "moved" };
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
): Promise<string | undefined> {
  const { pull, feedback, origin } = batch;
  const { issue } = origin;
  const manager = createManager(prompts);
  const style = { settings, login: host.login };
  const description = await describeWork({ manager, issue, outcomes: work.outcomes, diffs, template: "", log });
  const commit = await advancePull({
    ...{ runId: request.id, date: new Date(request.requestedAt), pull, files },
    ...{
      message: formatting(revisionMessage(description, issue.number, feedback), issue.number, style),
      repository,
      host,
      log,
    },
  });
  if (commit) await record("commit", commit);
  return commit?.id;
}

/** The outcomes with what QA has newly to say; what was inherited has its thread already. */
function newComments({ batch, work }: PublishInput) {
  const inherited = new Set(batch.feedback.threads.map(({ id }) => id));
  return work.outcomes
    .map((outcome) => ({ ...outcome, comments: outcome.comments.filter(({ id }) => !inherited.has(id)) }))
    .filter(({ comments }) => comments.length > 0);
}

const MAX_LINES = 20;

const MAX_TEXT = 100;

/** A conventional commit message of a revision: what changed, what the review asked for, and for which issue. */
function revisionMessage(description: ChangeDescription, issue: number, { threads, comments }: Feedback): string {
  const asked = [
    ...threads.map(({ path, author, conversation }) => ({
      where: `${path}, `,
      author,
      body: conversation.findLast(({ own }) => !own)?.body ?? "",
    })),
    ...comments.map(({ author, body }) => ({ where: "", author, body })),
  ];
  const lines = asked.slice(0, MAX_LINES).map(({ where, author, body }) => `- ${where}${author}: ${beginning(body)}`);
  const { message } = commitMessage(description, issue, false);
  const [footer = "", ...rest] = message.trimEnd().split("\n\n").reverse();
  return [...rest.reverse(), `The review asked for:\n${neutraliseMessage(lines.join("\n"))}`, `${footer}\n`].join(
    "\n\n",
  );
}

function beginning(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, "")}…` : line;
}

interface Shown {
  readonly batch: Batch;
  readonly work: Work;
  readonly commit: string | undefined;
}

/**
 * Shows the app's check run on the commit of a revision. Without a commit no check will end that could take a draft out
 * of draft, whose QA threads may be resolved now: that is looked at here.
 */
async function showRevision(
  { batch, work, commit }: Shown,
  { host, settings, tracker, log }: Pick<PhaseTools, "host" | "settings" | "tracker" | "log">,
): Promise<void> {
  const { number, url } = batch.pull;
  if (commit === undefined) {
    const pull = await host.readPullRequest(number);
    if (pull.draft) await markReady({ host, settings, pull, checks: await host.checksOf(pull.head), log });
    return;
  }
  const { outcomes } = work;
  const open = countOpen(outcomes);
  const report = { what: `Answers the review of #${number}`, phases: [], outcomes, spend: tracker.state().spend };
  await showCheck(host, commit, { ...report, end: { openComments: open }, pullRequest: { number, url } }, log);
}
