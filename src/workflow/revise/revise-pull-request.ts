import type { RunRequest } from "../../model/run-request.ts";
import type { RunResult } from "../../model/run-state.ts";
import type { Work } from "../../model/work.ts";
import { RUN_CREATIONS } from "../../ports/code-host.ts";
import { resultAtBudget } from "../run/ends.ts";
import type { PhaseRunner, RunKind } from "../run/phase-runner.ts";
import { writeKeepingChecks } from "../strategy/keep-checks.ts";
import { tellRevision } from "./answers.ts";
import { planRevision } from "./plan-revision.ts";
import { type PublishedRevision, publishRevision } from "./publish-revision.ts";
import { type Batch, readFeedback } from "./read-feedback.ts";

/** How often the branch may move under the work before it is given up. */
const MAX_READINGS = 3;

/** As any run's, and thirty threads of people, each answered and maybe resolved. */
const MAX_CREATIONS = RUN_CREATIONS + 60;

const NO_WORK: Work = { outcomes: [], changes: [], patch: "" };

const MOVED = "The branch moved each time before the change was ready. Nothing was overwritten.";

/**
 * Reviews of the bot's pull request: everything that is open is one batch, and becomes one commit and the answers. When
 * the branch moves meanwhile, everything is read again. A run that finds nothing open ends without a word; one that
 * ends unexpectedly says so on the pull request.
 */
export function revisePullRequest(request: RunRequest): RunKind {
  /** the batch whose line in the pull request's body has not been written */
  let untold: Batch | undefined;
  return {
    creations: MAX_CREATIONS,
    async phases(run) {
      for (let reading = 1; reading <= MAX_READINGS; reading++) {
        const read = await run.step("read", (tools) => readFeedback(request, tools));
        untold = "nothing" in read ? undefined : read;
        if ("nothing" in read) return { kind: "nothing-to-change", reason: read.nothing };
        const result = await answerBatch(request, read, run);
        if (!result) continue;
        untold = undefined;
        return result;
      }
      return { kind: "gave-up", reason: MOVED };
    },
    async tell(_result, tools, about) {
      if (about) await tellRevision({ request, batch: about as Batch }, tools);
    },
    about: () => untold,
  };
}

/** Nothing when the branch has moved meanwhile. */
async function answerBatch(request: RunRequest, batch: Batch, run: PhaseRunner): Promise<RunResult | undefined> {
  const base = { commit: batch.pull.head };
  const { issue } = batch.origin;
  const revision = await run.phase("plan", base, async (tools) => {
    const { threads, comments } = batch.feedback;
    await tools.tracker.batch([...threads, ...comments].map(({ source }) => source));
    return planRevision(batch, tools);
  });
  const { plan } = revision;
  const inherited = new Map(revision.inherited);
  const work =
    plan.tasks.length === 0
      ? NO_WORK
      : await run.phase("code", base, (tools) =>
          writeKeepingChecks({ ...tools, issue, plan, inherited }, wishesOf(batch)),
        );
  const published = await run.phase("publish", base, (tools) =>
    publishRevision({ request, batch, revision, work }, tools),
  );
  return resultOfRevision(batch, work, published);
}

/** The words of the people who may write that this revision is for. */
function wishesOf({ feedback: { threads, comments } }: Batch): readonly string[] {
  const inThreads = threads.flatMap(({ conversation }) => conversation.filter(({ own }) => !own));
  return [...inThreads, ...comments].map(({ body }) => body);
}

/** How a revision ended, or nothing when the branch has moved and it is to be done again. */
function resultOfRevision(
  { pull: { number, url } }: Batch,
  work: Work,
  published: PublishedRevision,
): RunResult | undefined {
  if ("undone" in published) {
    return published.undone === "moved" ? undefined : { kind: "nothing-to-change", reason: "closed" };
  }
  // Here an answer without a change is something done.
  const stopped = resultAtBudget(work, work.outcomes);
  if (stopped) return stopped;
  const { commit, openThreads } = published;
  if (commit !== undefined) return { kind: "published", pullRequest: { number, url }, openThreads };
  return { kind: "nothing-to-change", reason: "everything was answered without a change" };
}
