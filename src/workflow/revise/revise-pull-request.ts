import type { RunRequest } from "../../model/run-request.ts";
import type { RunResult } from "../../model/run-state.ts";
import type { Work } from "../../model/work.ts";
import type { Log } from "../../ports/log.ts";
import type { Step } from "../../ports/step.ts";
import { failureResult } from "../run/ends.ts";
import { abortableTools, createPhaseRunner } from "../run/phase-runner.ts";
import type { RunTools } from "../run/run-tools.ts";
import { writeCode } from "../strategy/phases.ts";
import { tellRevision } from "./answers.ts";
import { planRevision } from "./plan-revision.ts";
import { type PublishedRevision, publishRevision } from "./publish-revision.ts";
import { type Batch, readFeedback } from "./read-feedback.ts";

/** How often the branch may move under the work before it is given up. */
const MAX_READINGS = 3;

const NO_WORK: Work = { outcomes: [], changes: [], patch: "" };

const MOVED = "The branch moved each time before the change was ready. Nothing was overwritten.";

/**
 * Reviews of the bot's pull request: everything that is open is one batch, and becomes one commit and the answers. Each
 * phase is a checkpointed step. When the branch moves meanwhile, everything is read again. A run that finds nothing
 * open ends without a word; one that ends unexpectedly says so on the pull request. Never throws.
 */
export async function reviseChange(
  request: RunRequest,
  open: () => Promise<RunTools>,
  step: Step,
  log: Log,
): Promise<RunResult> {
  const phases = createPhaseRunner(open, step);
  let batch: Batch | undefined;
  try {
    for (let reading = 1; reading <= MAX_READINGS; reading++) {
      const read = await step("read", async ({ signal }) =>
        readFeedback(request, abortableTools(await open(), signal)),
      );
      batch = "nothing" in read ? undefined : read;
      if ("nothing" in read) return await end({ kind: "nothing-to-change", reason: read.nothing });
      const result = await answer(read);
      if (result) return await end(result);
    }
    return await end({ kind: "gave-up", reason: MOVED }, batch);
  } catch (error) {
    return await end(failureResult(error, phases.current(), log), batch);
  }

  /** Nothing when the branch has moved meanwhile. */
  async function answer(read: Batch): Promise<RunResult | undefined> {
    const base = { commit: read.pull.head };
    const { issue } = read.origin;
    const revision = await phases.run("plan", base, async (tools) => {
      const { threads, comments } = read.feedback;
      await tools.tracker.batch([...threads, ...comments].map(({ source }) => source));
      return planRevision(read, tools);
    });
    const { plan } = revision;
    const inherited = new Map(revision.inherited);
    const work =
      plan.tasks.length === 0
        ? NO_WORK
        : await phases.run("code", base, (tools) => writeCode({ ...tools, issue, plan, inherited }));
    const published = await phases.run("publish", base, (tools) =>
      publishRevision({ request, batch: read, revision, work }, tools),
    );
    return resultOfRevision(read, work, published);
  }

  /** `untold`: the batch whose line in the pull request's body has not been written. */
  async function end(result: RunResult, untold?: Batch): Promise<RunResult> {
    await step("end", async ({ signal }) => {
      const tools = abortableTools(await open(), signal);
      await tools.tracker.end(result);
      if (untold) await tellRevision({ request, batch: untold }, tools);
    }).catch((error: unknown) =>
      log.error({ error, result: result.kind }, "the end of the run could not be told on the pull request"),
    );
    const reason = "reason" in result && result.reason;
    log.info({ run: request.id, result: result.kind, ...(reason && { reason }) }, "the revision ended");
    return result;
  }
}

/** How a revision ended, or nothing when the branch has moved and it is to be done again. */
function resultOfRevision(
  { pull: { number, url } }: Batch,
  { stopped, patch, outcomes }: Work,
  published: PublishedRevision,
): RunResult | undefined {
  if ("undone" in published) {
    return published.undone === "moved" ? undefined : { kind: "nothing-to-change", reason: "closed" };
  }
  if (stopped) {
    const finished = outcomes.map(({ summary, path }) => `${summary} (\`${path}\`)`);
    return { kind: "budget-reached", phase: "code", patch, finished, ...stopped };
  }
  const { commit, openThreads } = published;
  if (commit !== undefined) return { kind: "published", pullRequest: { number, url }, openThreads };
  return { kind: "nothing-to-change", reason: "everything was answered without a change" };
}
