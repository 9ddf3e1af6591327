import { writeRepair } from "../../agents/keep-checks.ts";
import { linesOf } from "../../change/edited-tests.ts";
import { type ChangedFile, changedFiles, diffsOf, wholePlan } from "../../change/working-copy.ts";
import { hasPassed } from "../../data/checks.ts";
import { markers } from "../../data/marks.ts";
import type { RunRequest } from "../../data/run-request.ts";
import type { PullRequestLink, RunResult } from "../../data/run-state.ts";
import type { Work } from "../../data/work.ts";
import { withCheck } from "../../publish/check-run.ts";
import { messageFor } from "../../publish/commit-message.ts";
import { reportFollowUp } from "../../publish/follow-up.ts";
import { advancePull } from "../../publish/land-commit.ts";
import { publishReview } from "../../publish/review.ts";
import { checkComment, type UnsteadyCheck } from "../../report/check-comment.ts";
import { createBaseReader } from "../../run/base-reader.ts";
import { resultOfWork } from "../../run/ends.ts";
import { findOrigin } from "../../run/origin.ts";
import type { PhaseRunner, RunKind } from "../../run/phase-runner.ts";
import type { PhaseContext, RunContext } from "../../run/run-context.ts";
import { counted } from "../../text/counted.ts";
import { diagnose } from "./diagnose.ts";
import { type PlannedRepair, planRepair } from "./plan-repair.ts";
import { checkNames, type FailingChecks, postCheckComment, readSituation } from "./read-situation.ts";

const GONE_ON: RunResult = { kind: "nothing-to-change", reason: "The pull request was closed or has gone on." };

/**
 * Repairs what makes the checks of the bot's pull request fail, in one commit: read the situation, read the failures,
 * plan (the Manager), code (Algorithm 3), publish. When there is nothing to do, the run ends silently, without a call
 * to the model. Unexpected ends are reported on the pull request.
 */
export function repairChecks(request: RunRequest): RunKind {
  const head = request.work.kind === "repair" ? request.work.head : "";
  const base = { commit: head };
  /** what the line in the pull request's body is about */
  let found: FailingChecks | undefined;
  return {
    async phases(runner) {
      const situation = await runner.step("read", (run) => readSituation(run, head));
      if ("nothing" in situation) return { silent: { kind: "nothing-to-change", reason: situation.nothing } };
      const { failing } = situation;
      found = failing;
      const risen = { ...base, reds: failing.earlier.length + 1 };
      const {
        failures,
        issue,
        unsteady = [],
        changed = [],
      } = await runner.phase("locate", base, (run) => diagnose({ ...run, failing }), "diagnose");

      const left = [...(failing.unsteady ?? []), ...unsteady];
      if (failures.length === 0 && unsteady.length > 0) return reportUnsteady(failing, left, runner);

      const planned = await runner.phase("plan", risen, (run) =>
        planRepair({ ...run, failing, failures, changed, issue }),
      );
      const { plan, reason } = planned;
      if (plan.tasks.length === 0) return reportNotRepaired(failing, reason, runner);

      const work = await runner.phase("code", risen, async (run) => {
        const { proves } = await findOrigin(failing.pull, run);
        const onBase = createBaseReader({ base: failing.base, proves }, run);
        const named = linesOf(failures.flatMap(({ annotations, places }) => [...annotations, ...places]));
        return writeRepair({ ...run, issue, plan }, { onBase, named });
      });
      const unchanged = resultOfWork(work);
      if (unchanged && "reason" in unchanged) return reportNotRepaired(failing, unchanged.reason, runner);
      if (unchanged) return unchanged;

      const published = await runner.phase("publish", base, (run) => publishRepair({ ...run, failing, planned, work }));
      if (published === "passed") {
        const why = "it passed when it was run again with nothing changed";
        return reportUnsteady(
          failing,
          failing.ours.map(({ title }) => ({ name: title, why })),
          runner,
        );
      }
      if (published) return { kind: "published", ...published };
      found = undefined;
      return GONE_ON;
    },
    async report(result, run, about) {
      if (about) await reportRepair(about as FailingChecks, result, run);
    },
    about: () => found,
  };
}

/** Reports on the pull request why its checks were not repaired. */
async function reportNotRepaired(failing: FailingChecks, reason: string, runner: PhaseRunner): Promise<RunResult> {
  const { number, head } = failing.pull;
  await runner.step("tell", async (run) => {
    const body = checkComment.notRepaired(checkNames(failing), reason, run.tracker.state().spend);
    await postCheckComment(run, number, { marker: markers.checked(head), body });
  });
  return { kind: "nothing-to-change", reason };
}

/** Reports on the pull request which checks stay as they are, and why. */
async function reportUnsteady(
  failing: FailingChecks,
  left: readonly UnsteadyCheck[],
  runner: PhaseRunner,
): Promise<RunResult> {
  const { number, head } = failing.pull;
  await runner.step("tell", async (run) => {
    const body = checkComment.unsteady(checkNames(failing), left);
    await postCheckComment(run, number, { marker: markers.checked(head), body });
  });
  return { kind: "nothing-to-change", reason: "What fails does not look like this change's." };
}

/** Puts the repair's line into the pull request's body and the tracking comment of the run that opened it. */
async function reportRepair(failing: FailingChecks, result: RunResult, run: RunContext): Promise<void> {
  const { pull, ours } = failing;
  const { root } = await findOrigin(pull, run);
  const names = ours.map(({ title }) => title).join(", ");
  const what = `${ours.length === 1 ? "Failing check" : "Failing checks"}: ${names}`;
  await reportFollowUp({ root, pullRequest: pull.number, what, outcome: outcomeOf(result, failing) }, run);
}

function outcomeOf(result: RunResult, { earlier }: FailingChecks): string {
  if (result.kind === "published") return `repair ${earlier.length + 1}; its checks will tell`;
  if (result.kind === "nothing-to-change" || result.kind === "gave-up") return "not repaired, no change";
  return "stopped; a comment says why";
}

interface PublishInput extends PhaseContext {
  failing: FailingChecks;
  planned: PlannedRepair;
  work: Work;
}

interface PublishedRepair {
  pullRequest: PullRequestLink;
  openThreads: number;
  commit: string;
}

/**
 * Publishes a repair: one commit on the pull request's branch, the app's check run on it, the QA Engineers' comments as
 * threads, and one comment on what failed and what was done. Running it again after a crash makes nothing twice.
 * Undefined, with nothing published: the pull request was closed or its branch moved, and the new head's checks will be
 * read. "passed", with nothing published: somebody ran the checks again meanwhile, and they are green without the
 * repair.
 */
async function publishRepair(deps: PublishInput): Promise<PublishedRepair | "passed" | undefined> {
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

  const what = `Repairs ${counted(ours.length, "failing check")}`;
  return withCheck(deps, { head: id, what, outcomes }, async () => {
    const diffs = diffsOf(files);
    const reviewed = { host, runId: request.root, pullRequest: number, head: id, plan, outcomes, diffs, log };
    const openThreads = outcomes.some(({ comments }) => comments.length > 0) ? await publishReview(reviewed) : 0;
    const rounds = { round: earlier.length + 1, rounds: settings.ciRounds, spend: tracker.state().spend };
    const done = { commit: id, title, outcomes, reason, ...rounds };
    const body = checkComment.repaired({ ...checkNames(failing), ...done });
    await postCheckComment(deps, number, { marker: markers.checked(head), body });
    return { pullRequest: { number, url }, openThreads, commit: id };
  });
}

async function passedAgain({ failing: { pull, ours }, host }: PublishInput): Promise<boolean> {
  // Report the commit of an earlier try, whatever has passed since.
  if ((await host.branchTip(pull.branch)) !== pull.head) return false;
  const now = await host.checksOf(pull.head);
  return ours.every((check) => hasPassed(check, now));
}

async function commitRepair(deps: PublishInput, files: readonly ChangedFile[]): Promise<string | undefined> {
  const { request, failing, planned, repository, host, log, record } = deps;
  const { pull } = failing;
  const { number } = pull;
  if (!(await host.readPullRequest(number)).open) return undefined;
  const { title, reason } = planned;
  const description = { type: "fix", title, problem: "", solution: reason, template: "" } as const;
  const { policy } = await findOrigin(pull, deps);
  const { message } = await messageFor(deps, { description, about: pull, reference: "Part of", policy });
  const input = { runId: request.root, date: new Date(request.requestedAt), pull, files, message };
  const commit = await advancePull({ ...input, repository, host, log });
  if (commit) await record("commit", { ...commit, title });
  return commit?.id;
}
