import { isMagisError } from "../data/error.ts";
import type { LimitReached } from "../data/limits.ts";
import { type RunRequest, repositoryName, runId } from "../data/run-request.ts";
import type { Queued, RunResult, StopReason, UnreportedEnd } from "../data/run-state.ts";
import { NO_SPEND } from "../data/spend.ts";
import { inSpan } from "../data/traces.ts";
import { repairChecks } from "../follow-up/repair/repair-checks.ts";
import { revisePullRequest } from "../follow-up/revise/revise-pull-request.ts";
import { updateBranch } from "../follow-up/update/update-branch.ts";
import type { CodeHost } from "../github/code-host.ts";
import { cleanUp } from "../publish/clean-up.ts";
import { reportCost } from "../publish/follow-up.ts";
import { budgetOf } from "../run/budget.ts";
import { openRun, type RunDependencies } from "../run/open-run.ts";
import type { Patience } from "../run/patience.ts";
import { type RunKind, reportEnd, reportIfThere, runPhases } from "../run/phase-runner.ts";
import type { RunContext } from "../run/run-context.ts";
import type { Step } from "../run/runs.ts";
import { showTurn } from "../run/show-turn.ts";
import type { LocalCheck } from "./dry-run/check-work.ts";
import { refuseRun } from "./refuse-run.ts";
import { resolveIssue } from "./resolve-issue.ts";
import { sweepRun } from "./sweep-run.ts";

/** What the engine calls: a whole run, and the last word on one that was cancelled, abandoned or not reported. */
export interface RunHandlers {
  /**
   * One whole run. Never throws: unexpected ends are results of kind `failed`. An end that cannot be reported now goes
   * to `reportLater`, which keeps it; `report` then gets it while other runs go on. `wait` gives up the run's place in
   * the queue for that many milliseconds, or until a webhook wakes the run; absent: it cannot wait.
   */
  resolve(
    request: RunRequest,
    step: Step,
    reportLater: (end: UnreportedEnd) => Promise<void>,
    wait?: (ms: number) => Promise<void>,
  ): Promise<RunResult>;
  /** Reports that a limit keeps a run from beginning, as its end. Never throws. */
  refuse(
    request: RunRequest,
    limit: LimitReached,
    step: Step,
    reportLater: (end: UnreportedEnd) => Promise<void>,
  ): Promise<RunResult>;
  /** The run that follows one that ended with this result, if any. Pure. */
  next(request: RunRequest, result: RunResult): RunRequest | undefined;
  /** Reports what a queued run waits for, or that this has changed. The run does not begin before this returns. */
  waits(request: RunRequest, place: Queued): Promise<void>;
  /** A run was cancelled because `by` asked for it or closed its issue or pull request. Its work has stopped. */
  cancelled(request: RunRequest, by: string, because?: StopReason): Promise<void>;
  /** Reports an end late; tried again while the host is away or has shut us out. */
  report(request: RunRequest, end: UnreportedEnd): Promise<void>;
  /** The engine gave the run up: its process died too often. */
  abandoned(request: RunRequest, reason: string): Promise<void>;
  /** Takes back writes of a run that took effect after its end was reported. */
  sweep(request: RunRequest): Promise<void>;
}

/** Work on a pull request. */
const WORK: Readonly<Record<string, (request: RunRequest) => RunKind>> = {
  revise: revisePullRequest,
  repair: repairChecks,
  update: updateBranch,
};

/** Work that an earlier version has kept and this one does not do. */
const unknownWork = (): RunKind => ({
  phases: async () => ({ kind: "refused", reason: "This version of MAGIS no longer does what was asked for." }),
});

/** A pull request that is merged as soon as it is open closes its issue: the run has succeeded. */
async function publishedAndMerged({ host, tracker }: RunContext): Promise<RunResult | undefined> {
  const { pullRequest } = tracker.state();
  if (!pullRequest || !(await host.readPullRequest(pullRequest.number)).merged) return undefined;
  const open = (await host.listThreads(pullRequest.number)).filter(({ resolved }) => !resolved);
  return { kind: "published", pullRequest, openThreads: open.length };
}

function kindOf(request: RunRequest, check?: LocalCheck): RunKind {
  const kind: RunKind =
    request.work.kind === "resolve" ? resolveIssue(request, check) : (WORK[request.work.kind] ?? unknownWork)(request);
  return {
    ...kind,
    async report(result, run, about) {
      await kind.report?.(result, run, about);
      await reportCost(result, run);
    },
    whyStopped: (host) => whyStopped(request, host),
    cleanUp,
  };
}

/** A run at work, opened once until it waits. */
function openAtWork(request: RunRequest, deps: RunDependencies, wait?: (ms: number) => Promise<void>) {
  let opening: Promise<RunContext> | undefined;
  let waited = false;
  const close = async () => {
    (await opening)?.close();
    opening = undefined;
  };
  return {
    close,
    open() {
      opening ??= openRun(request, deps, waited ? "again" : "work").catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    /** Neither the clone nor the run's clock goes on while it waits. */
    async wait(ms: number) {
      await close();
      waited = true;
      await wait?.(ms);
    },
  };
}

/**
 * Repairs the checks that a proof has found to fail: their own webhooks started no repair, since the run waited for
 * them.
 */
function repairAfter(
  { repository, actor, requestedAt, settings }: RunRequest,
  result: RunResult,
): RunRequest | undefined {
  if (result.kind !== "published" || result.proof?.failed === undefined) return undefined;
  const { failed: head } = result.proof;
  const { number: issue } = result.pullRequest;
  const id = runId(repository, issue, `proof-${head}`);
  const trigger = { kind: "checks", head, branch: "" } as const;
  const asked = { repository, issue, trigger, actor, delivery: id, requestedAt, settings };
  return { ...asked, id, root: id, work: { kind: "repair", head }, grants: [] };
}

/** For a process that ends with its run, so that nothing resumes the run. */
interface OnceOnly {
  /** aborting it cancels the run */
  signal: AbortSignal;
  /** checks a change before it is published */
  check?: LocalCheck | undefined;
}

export function createRunHandlers(deps: RunDependencies & { patience: Patience; once?: OnceOnly }): RunHandlers {
  const { log, patience, once, metrics, traces } = deps;
  const handlers: RunHandlers = {
    async resolve(request, step, reportLater, wait) {
      const run = openAtWork(request, deps, wait);
      try {
        const traced: Step = (name, body) =>
          step(name, (context) => inSpan(traces, { kind: "step", name }, () => body(context)));
        const place = { open: run.open, step: traced, log, metrics, traces, patience, reportLater };
        const more = { wait: wait && run.wait, signal: once?.signal };
        return await inSpan(traces, { kind: "run", run: request.root, work: request.work.kind }, async (end) => {
          await logBegin(request, deps);
          const result = await runPhases(kindOf(request, once?.check), { ...place, ...more });
          await noteEnd(request, result, deps);
          end({ outcome: result.kind });
          return result;
        });
      } finally {
        await run.close();
      }
    },

    refuse: (request, limit, step, reportLater) => refuseRun({ request, limit, step, patience, reportLater }, deps),

    next: repairAfter,

    async cancelled(request, by, because) {
      const run = await openRun(request, deps, "again");
      await reportIfThere(because, run, async () => {
        const cancelled: RunResult = { kind: "cancelled", by, undone: [], because };
        const merged = because && because !== "shut-out" && (await publishedAndMerged(run));
        const clean = () => (because === "shut-out" ? cancelled : cleanUp(run, cancelled));
        const result = merged || (await clean());
        await run.tracker.end(result);
        await reportCost(result, run);
        await noteEnd(request, result, deps);
      });
    },

    async abandoned(request, reason) {
      const run = await openRun(request, deps, "again");
      const result = { kind: "failed", code: "RUN_ABANDONED", message: reason } as const;
      await run.tracker.end(await cleanUp(run, result));
      await noteEnd(request, result, deps);
    },

    sweep: (request) => sweepRun(request, deps),

    waits: (request, place) => showTurn(request, place, deps),

    async report(request, end) {
      if (await isOvertaken(request, end, deps.store)) return;
      if (end.kind === "cancelled") return handlers.cancelled(request, end.by, end.because);
      await reportEnd(kindOf(request), end, await openRun(request, deps, "again"));
    },
  };
  return handlers;
}

/** What the run is, for the log. */
async function logBegin(request: RunRequest, { log, store, budget, models }: RunDependencies): Promise<void> {
  const { id, root, work, repository, issue, actor, settings } = request;
  const { money, tokens, minutes } = budgetOf(request, budget);
  const state = await store.state(root);
  const isNew = !state || !!state.queued || !!state.result;
  const fields = {
    run: id,
    work: work.kind,
    repository: repositoryName(repository),
    issue,
    person: actor,
    models: { ...models, ...settings?.models },
    budget: { money, tokens, minutes },
  };
  log.info(fields, isNew ? "the run begins" : "the run goes on");
}

/** The run's outcome and costs, for the log and the metrics. */
async function noteEnd(request: RunRequest, result: RunResult, deps: RunDependencies): Promise<void> {
  const { log, store, metrics } = deps;
  const { id, root, work, repository, issue } = request;
  const { spend = NO_SPEND } = (await store.state(root)) ?? {};
  const fields = {
    run: id,
    work: work.kind,
    repository: repositoryName(repository),
    issue,
    outcome: result.kind,
    reason: "reason" in result ? result.reason : undefined,
    money: spend.money,
    tokens: spend.tokens,
    calls: spend.calls,
    seconds: Math.round(spend.elapsed / 1000),
    pullRequest: result.kind === "published" ? result.pullRequest.url : undefined,
  };
  log.info(fields, "the run ended");
  metrics?.runEnded({ work: work.kind, result });
}

/**
 * Why there is nothing more to be done on the issue or pull request of a run, or undefined while it is there and open.
 * It is asked between phases, for webhooks that did not arrive.
 */
async function whyStopped({ work, issue }: RunRequest, host: CodeHost): Promise<StopReason | undefined> {
  try {
    if (work.kind !== "resolve") {
      const { open, merged, locked } = await host.readPullRequest(issue);
      if (merged) return "merged";
      return open ? lockedOr(locked) : "closed";
    }
    const { number, open, locked } = await host.readIssue(issue);
    // GitHub answers for a transferred issue with the one that it has become.
    if (number !== issue) return "transferred";
    return open ? lockedOr(locked) : "closed";
  } catch (error) {
    if (!isMagisError(error, "HOST_NOT_FOUND")) throw error;
    if (error.data.status === 410) return "deleted";
    // A repository that is still there has lost the issue to one that we may not see; else it is we who lost access.
    await host.defaultBranch();
    return "transferred";
  }
}

const lockedOr = (locked: boolean | undefined): StopReason | undefined => (locked ? "locked" : undefined);

/** Whether a run that continues this one owns its comment now. */
async function isOvertaken(
  { id, root, repository, issue }: RunRequest,
  end: UnreportedEnd,
  store: RunDependencies["store"],
): Promise<boolean> {
  const latest = (await store.latestRun(repository, issue))?.request;
  const reported = (await store.state(root))?.result;
  return (
    (latest?.root === root && latest.id !== id) ||
    (reported !== undefined && end.kind === "ended" && reported.kind !== end.result.kind)
  );
}
