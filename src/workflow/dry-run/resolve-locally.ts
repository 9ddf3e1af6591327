import type { ChangeDescription } from "../../llm/manager.ts";
import { isMagisError } from "../../model/magis-error.ts";
import type { RepositorySettings } from "../../model/repository-settings.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { RunResult } from "../../model/run-result.ts";
import type { Repository } from "../../ports/repository.ts";
import type { Work } from "../run/coding.ts";
import { createPhaseRunner } from "../run/create-phase-runner.ts";
import { failureResult } from "../run/failure-result.ts";
import { openRunTools } from "../run/open-run-tools.ts";
import { resultOfWork } from "../run/result-of-work.ts";
import { runReport } from "../run/run-report.ts";
import type { RunTools } from "../run/run-tools.ts";
import { locateFiles } from "../strategy/locate-files.ts";
import { type MadePlan, makePlan } from "../strategy/make-plan.ts";
import { writeCode } from "../strategy/write-code.ts";
import { absentHost } from "./absent-host.ts";
import { givenCandidates } from "./given-candidates.ts";
import type { LocalDependencies, LocalJob, LocalOutcome } from "./local-job.ts";
import { localWords } from "./local-words.ts";
import { patchOf } from "./patch-of.ts";
import { readOwnSettings } from "./read-own-settings.ts";

/** What the phases have made so far: filled in as they end, so that nothing is lost however the run ends. */
type Made = { plan?: MadePlan; work?: Work; words?: ChangeDescription };

/**
 * `resolveIssue` without a host and without the engine: the same phases on one commit in memory, ending in a patch and
 * the pull request's words. Budget, paid calls, guidance and protected paths hold as they do there.
 * Throws what opening the repository throws; from then on every end is a result: `cancelled` when `signal` has aborted.
 */
export async function resolveLocally(
  job: LocalJob,
  deps: LocalDependencies,
  signal: AbortSignal,
): Promise<LocalOutcome> {
  const repository = await deps.openRepository({ ...job.source, signal });
  const made: Made = {};
  try {
    const read = await readOwnSettings(repository, job, deps);
    const request = requestOf(job, "settings" in read ? read.settings : undefined);
    const tools = await openTools(request, job, deps, repository);
    await tools.record("start", { issue: job.issue, base: { branch: "", commit: repository.commit }, by: job.id });
    const result =
      "faults" in read
        ? ({ kind: "refused", reason: read.faults.join("\n") } as const)
        : await runPhases(job, { tools, repository, signal }, made);
    await tools.tracker.end(result);
    const { number, title } = job.issue;
    const facts = {
      id: job.id,
      repository: job.name,
      ...(number > 0 && { number }),
      title,
      requestedAt: job.requestedAt,
    };
    return {
      result,
      patch: made.work && !signal.aborted ? await patchOf(made.work.changes, repository) : new Uint8Array(),
      ...(made.plan && { plan: made.plan }),
      ...(made.words && { words: made.words }),
      outcomes: made.work?.outcomes ?? [],
      report: await runReport(deps.store, facts),
    };
  } finally {
    repository.close();
  }
}

interface Running {
  readonly tools: RunTools;
  readonly repository: Repository;
  readonly signal: AbortSignal;
}

async function runPhases(job: LocalJob, { tools, repository, signal }: Running, made: Made): Promise<RunResult> {
  const { issue, files, through = "words" } = job;
  const phases = createPhaseRunner(
    async () => tools,
    (_name, body) => body({ signal }),
  );
  try {
    const candidates = await phases.run("locate", repository, (phase) =>
      files ? givenCandidates(files, phase) : locateFiles({ ...phase, issue }),
    );
    const plan = await phases.run("plan", repository, (phase) => makePlan({ ...phase, issue, candidates }));
    made.plan = plan;
    if (plan.tasks.length === 0) {
      return { kind: plan.refused > 0 ? "gave-up" : "nothing-to-change", reason: plan.reason };
    }
    if (through === "plan") return { kind: "dry-run", made: "plan", openComments: 0 };
    const work = await phases.run("code", repository, (phase) => writeCode({ ...phase, issue, plan }));
    made.work = work;
    const early = resultOfWork(work);
    if (early) return early;
    if (through === "words") {
      made.words = await phases.run("publish", repository, (phase) =>
        localWords(phase, { issue, work, planned: plan.words }),
      );
    }
    const open = work.outcomes.flatMap(({ comments }) => comments).filter(({ status }) => status === "open");
    return { kind: "dry-run", made: "patch", openComments: open.length };
  } catch (error) {
    if (signal.aborted || isMagisError(error, "RUN_CANCELLED")) return { kind: "cancelled", by: "you", undone: [] };
    return failureResult(error, phases.current(), tools.log);
  }
}

/** The clone that is in hand already serves the whole run. */
function openTools(
  request: RunRequest,
  { source, chosen = {} }: LocalJob,
  deps: LocalDependencies,
  repository: Repository,
): Promise<RunTools> {
  const { profile = deps.settings.profile, ablate = deps.settings.ablate } = chosen;
  const own = { ...deps, settings: { ...deps.settings, profile, ablate } };
  const opened = {
    openCodeHost: async () => absentHost(source.url, source.token),
    openRepository: async () => repository,
  };
  return openRunTools(request, { ...own, ...opened }, { comments: false });
}

function requestOf(job: LocalJob, settings: RepositorySettings | undefined): RunRequest {
  const { id, repository, issue, requestedAt } = job;
  return {
    ...{ id, root: id, repository, issue: issue.number, requestedAt, allowance: 0, delivery: id, actor: "you" },
    work: { kind: "resolve", gate: "none" },
    trigger: { kind: "command", commentId: 0, hint: issue.hint },
    ...(settings && { settings }),
  };
}
