import { writeRevision } from "../../agents/keep-checks.ts";
import { linesOf } from "../../change/edited-tests.ts";
import { type ChangedFile, changedFiles, diffsOf, wholePlan } from "../../change/working-copy.ts";
import type { Feedback } from "../../data/discussion.ts";
import type { RunResult } from "../../data/run-state.ts";
import { countOpen, type Work } from "../../data/work.ts";
import { createManager } from "../../models/agents.ts";
import { showCheck } from "../../publish/check-run.ts";
import { messageFor } from "../../publish/commit-message.ts";
import { describeWork } from "../../publish/describe-work.ts";
import { markReady } from "../../publish/follow-up.ts";
import { advancePull } from "../../publish/land-commit.ts";
import { publishReview } from "../../publish/review.ts";
import { createBaseReader } from "../../run/base-reader.ts";
import { resultAtBudget } from "../../run/ends.ts";
import type { PhaseRunner, RunKind } from "../../run/phase-runner.ts";
import type { PhaseContext } from "../../run/run-context.ts";
import type { CodeInput } from "../../run/strategy.ts";
import { neutraliseMessage } from "../../text/neutralise.ts";
import { answersOf, giveAnswers, reportRevision } from "./answers.ts";
import { baseOfChange, planRevision, type Revision } from "./plan-revision.ts";
import { type Batch, readFeedback } from "./read-feedback.ts";

/** How often the branch may move before the run gives up. */
const MAX_READINGS = 3;

const NO_WORK: Work = { outcomes: [], changes: [], patch: "" };

const MOVED = "The branch moved each time before the change was ready. Nothing was overwritten.";

/**
 * Answers reviews of the bot's pull request: all open feedback is one batch, which gets one commit and the replies.
 * When the branch moves meanwhile, everything is read again. A run that finds nothing open ends silently; one that ends
 * unexpectedly says so on the pull request.
 */
export function revisePullRequest(): RunKind {
  /** the batch whose line in the pull request's body has not been written */
  let unreported: Batch | undefined;
  return {
    async phases(runner) {
      for (let reading = 1; reading <= MAX_READINGS; reading++) {
        const read = await readSettled(runner);
        unreported = "nothing" in read ? undefined : read;
        if ("nothing" in read) return { kind: "nothing-to-change", reason: read.nothing };
        const result = await answerBatch(read, runner);
        if (!result) continue;
        unreported = undefined;
        return result;
      }
      return { kind: "gave-up", reason: MOVED };
    },
    async report(_result, run, about) {
      if (about) await reportRevision({ batch: about as Batch }, run);
    },
    about: () => unreported,
  };
}

/** How long a bot must have said nothing more, and how often that is checked. */
const QUIET_MS = 10_000;

const MAX_POLLS = 6;

/** Reads all open feedback. Bots comment one by one: their words are read again until no more come. */
async function readSettled(runner: PhaseRunner): ReturnType<typeof readFeedback> {
  let sources = "";
  for (let poll = 1; ; poll++) {
    const read = await runner.step("read", (run) => readFeedback(run));
    if ("nothing" in read || runner.wait === undefined || poll === MAX_POLLS) return read;
    const said = [...read.feedback.threads, ...read.feedback.comments];
    const found = said.map(({ source }) => source).join(" ");
    if (found === sources || !said.some(({ author }) => author.endsWith("[bot]"))) return read;
    sources = found;
    await runner.wait(QUIET_MS);
  }
}

/** Undefined when the branch has moved meanwhile. */
async function answerBatch(batch: Batch, runner: PhaseRunner): Promise<RunResult | undefined> {
  const base = { commit: batch.pull.head };
  const { issue } = batch.origin;
  const revision = await runner.phase("plan", base, async (run) => {
    const { threads, comments } = batch.feedback;
    await run.tracker.batch([...threads, ...comments].map(({ source }) => source));
    return planRevision(batch, run);
  });
  const { plan } = revision;
  const inherited = new Map(revision.inherited);
  const work =
    plan.tasks.length === 0
      ? NO_WORK
      : await runner.phase("code", base, (run) => reviseCode(batch, { ...run, issue, plan, inherited }));
  const published = await runner.phase("publish", base, (run) => publishRevision({ batch, revision, work }, run));
  return resultOfRevision(batch, work, published);
}

/** Maintainers may have any declaration edited that they discuss, and what they name; bots may not. */
async function reviseCode(batch: Batch, run: PhaseContext & CodeInput): Promise<Work> {
  const { threads, comments } = batch.feedback;
  const isPerson = ({ author, own }: { author: string; own?: boolean }) => !own && !author.endsWith("[bot]");
  const places = threads.filter(({ conversation }) => conversation.some(isPerson));
  const discussed = linesOf(places.flatMap(({ path, line }) => (line === undefined ? [] : [{ path, line }])));
  const said = [...threads.flatMap(({ conversation }) => conversation), ...comments].filter(isPerson);
  const base = await baseOfChange(batch, run.host);
  return writeRevision(run, {
    onBase: createBaseReader({ base, proves: batch.origin.proves }, run),
    discussed,
    words: said.map(({ body }) => body),
  });
}

/** How a revision ended; undefined when the branch has moved and it starts again. */
function resultOfRevision(
  { pull: { number, url } }: Batch,
  work: Work,
  published: PublishedRevision,
): RunResult | undefined {
  if ("undone" in published) {
    return published.undone === "moved" ? undefined : { kind: "nothing-to-change", reason: "closed" };
  }
  // Here an answer without a change counts as done.
  const stopped = resultAtBudget(work, work.outcomes);
  if (stopped) return stopped;
  const { commit, openThreads } = published;
  if (commit !== undefined) return { kind: "published", pullRequest: { number, url }, openThreads };
  return { kind: "nothing-to-change", reason: "everything was answered without a change" };
}

interface PublishInput {
  batch: Batch;
  revision: Revision;
  work: Work;
}

/** `undone`: nothing was published, since the branch has moved since it was read, or the pull request was closed. */
type PublishedRevision = { commit?: string; answers: number; openThreads: number } | { undone: "moved" | "closed" };

/**
 * Publishes a revision: one commit on the branch, never forced; one reply in each thread; one answer to all comments;
 * review threads for the QA Engineers' new comments; the pull request's body and the tracking comment. Everything is
 * looked up before it is made.
 */
async function publishRevision(input: PublishInput, run: PhaseContext): Promise<PublishedRevision> {
  const { batch, revision, work } = input;
  const { request, host, repository, log } = run;
  const { number } = batch.pull;
  if (!(await host.readPullRequest(number)).open) return { undone: "closed" };
  const files = await changedFiles(work.changes, repository);
  const diffs = diffsOf(files);
  const commit = files.length === 0 ? undefined : await commitRevision(input, run, files, diffs);
  if (files.length > 0 && commit === undefined) {
    log.info({ run: request.id, pullRequest: number }, "the branch has moved; reading it again");
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
  const openThreads = await reportRevision({ batch, answers, commit }, run);
  await showRevision({ batch, work, commit }, run);
  return { commit, answers: answers.threads.length + answers.comments.length, openThreads };
}

async function commitRevision(
  { batch, work }: PublishInput,
  run: PhaseContext,
  files: readonly ChangedFile[],
  diffs: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  const { request, host, repository, log, prompts, record } = run;
  const { pull, feedback, origin } = batch;
  const { issue, policy } = origin;
  const manager = createManager(prompts);
  const description = await describeWork({ manager, issue, outcomes: work.outcomes, diffs, template: "", log });
  const about = { number: issue.number, title: pull.title };
  const { message } = await messageFor(run, {
    description,
    about,
    reference: "Part of",
    policy,
    more: askedIn(feedback),
  });
  const date = new Date(request.requestedAt);
  const commit = await advancePull({ runId: request.id, date, pull, files, message, repository, host, log });
  if (commit) await record("commit", commit);
  return commit?.id;
}

/** The outcomes with QA's new comments only; inherited ones have their threads already. */
function newComments({ batch, work }: PublishInput) {
  const inherited = new Set(batch.feedback.threads.map(({ id }) => id));
  return work.outcomes
    .map((outcome) => ({ ...outcome, comments: outcome.comments.filter(({ id }) => !inherited.has(id)) }))
    .filter(({ comments }) => comments.length > 0);
}

const MAX_LINES = 20;

const MAX_TEXT = 100;

/** What the review asked for, for the commit's message. */
function askedIn({ threads, comments }: Feedback): string {
  const asked = [
    ...threads.map(({ path, author, conversation }) => ({
      where: `${path}, `,
      author,
      body: conversation.findLast(({ own }) => !own)?.body ?? "",
    })),
    ...comments.map(({ author, body }) => ({ where: "", author, body })),
  ];
  const lines = asked.slice(0, MAX_LINES).map(({ where, author, body }) => `- ${where}${author}: ${beginning(body)}`);
  return `The review asked for:\n${neutraliseMessage(lines.join("\n"))}`;
}

function beginning(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, "")}…` : line;
}

interface ShownRevision {
  batch: Batch;
  work: Work;
  commit: string | undefined;
}

/**
 * Shows the app's check run on a revision's commit. Without a commit no ended check would mark a draft as ready
 * although its QA threads may be resolved now, so that is checked here.
 */
async function showRevision({ batch, work, commit }: ShownRevision, run: PhaseContext): Promise<void> {
  const { host } = run;
  const { number, url } = batch.pull;
  if (commit === undefined) {
    const pull = await host.readPullRequest(number);
    if (pull.draft) await markReady(pull, await host.checksOf(pull.head), run);
    return;
  }
  const { outcomes } = work;
  const end = { outcomes, openComments: countOpen(outcomes) };
  await showCheck(run, commit, { what: `Answers the review of #${number}`, end, pullRequest: { number, url } });
}
