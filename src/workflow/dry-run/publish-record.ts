import { showEditedTests } from "../../agents/keep-checks.ts";
import { createPathGuard } from "../../change/path-guard.ts";
import { type ChangedFile, changedFiles, createWorkingCopy, wholePlan } from "../../change/working-copy.ts";
import { readText } from "../../code/edits/text-file.ts";
import type { MadePlan, Task } from "../../data/plan.ts";
import type { ShownRun } from "../../data/read-record.ts";
import type { RunResult } from "../../data/run-state.ts";
import { hasChange, type Work } from "../../data/work.ts";
import type { Repository } from "../../git/repository.ts";
import type { CodeHost } from "../../github/code-host.ts";
import { cleanUp } from "../../publish/clean-up.ts";
import { publishChange } from "../../publish/publish-change.ts";
import { rollback } from "../../publish/rollback.ts";
import { checkSentence } from "../../report/end-of-run.ts";
import type { PhaseRunner, RunKind } from "../../run/phase-runner.ts";
import type { PhaseContext } from "../../run/run-context.ts";
import { startRun } from "../../run/start.ts";

/**
 * Publishes the change of a dry run made elsewhere, without any model. Whoever made it is not trusted: its commit must
 * be on the base branch, it may change only what the guards allow, every changed file needs a task that says so, and
 * edited tests and checks are found here.
 */
export const publishRecord = (dryRun: ShownRun): RunKind => ({
  phases: (runner) => publish(runner, dryRun),
  cleanUp,
});

async function publish(runner: PhaseRunner, dryRun: ShownRun): Promise<RunResult> {
  const { start: madeAt, plan, work: made, description, check } = dryRun.record;
  const start = await runner.step("start", (run) => startRun(run, () => rollback(run)));
  if ("refused" in start) return { kind: "refused", reason: start.refused };
  const end = endOf(dryRun);
  if (end) return end;
  if (!madeAt || !plan || !made) return { kind: "refused", reason: "The record holds no change that can be read." };
  const base = { branch: start.base.branch, commit: madeAt.base.commit };
  const isThere = await runner.step("base", ({ host }) => isPart(base.commit, start.base.commit, host));
  if (!isThere)
    return { kind: "refused", reason: `The change was made for a commit that is not part of ${base.branch}.` };
  const { issue } = start;
  const checked = check && {
    said: `The job that made this change reports: the ${checkSentence(check)}. The job that published it has run nothing.`,
    passed: check.end === "green",
    elsewhere: true,
  };
  return runner.phase("publish", base, async (run) => {
    // What is taken back after a failure stands on this commit.
    await run.record("start", { ...start, base });
    const forbidden = await whyForbidden(made, run);
    if (forbidden !== undefined) return { kind: "refused", reason: forbidden };
    const files = await changedFiles(made.changes, run.repository);
    const untold = whyUntold(plan, made, files);
    if (untold !== undefined) return { kind: "refused", reason: untold };
    const patch = await patchOf(files, run.repository);
    const work = await showEditedTests({ ...made, patch }, { ...run, issue, plan });
    await showPhases(run, work);
    const { pullRequest, openThreads } = await publishChange({
      ...run,
      issue,
      base,
      plan: {
        ...plan,
        tasks: asChanged(plan.tasks, work),
        description: description ?? plan.description,
      },
      work: { ...work, added: asChanged(work.added ?? [], work) },
      checked,
    });
    return { kind: "published", pullRequest, openThreads, checked: checked?.said };
  });
}

const NO_REASON = "The job that makes the change gave no reason.";

/** How the dry run ended if it made no change to publish; undefined if it made one. */
function endOf({ state, record }: ShownRun): RunResult | undefined {
  const { kind, reason: said = "", paid } = state?.result ?? {};
  const reason = said.trim() || NO_REASON;
  if (kind === "dry-run" && record.check?.end !== "red") return undefined;
  if (kind === "gave-up" || kind === "nothing-to-change") return { kind, reason };
  if (kind === "refused") return { kind, reason, paid };
  const message = "The job that makes the change ended without one: its summary says why.";
  return { kind: "failed", code: "NOTHING_MADE", message };
}

const isPart = async (commit: string, tip: string, host: CodeHost) =>
  /^[0-9a-f]{40}$/.test(commit) && (commit === tip || (await host.isAncestor(commit, tip)));

/** Shows in the tracking comment what the first job did. */
async function showPhases({ tracker }: PhaseContext, { outcomes }: Work): Promise<void> {
  const tasks = outcomes.map(({ taskId, path: file, summary, status }) => ({
    id: taskId,
    path: file,
    title: summary,
    status,
  }));
  await tracker.tasks(tasks);
  for (const phase of ["locate", "plan", "code"] as const) await tracker.finish(phase);
}

/** Why the record's change may not be published. Asks the guards again, since the record is not trusted. */
async function whyForbidden({ changes }: Work, { repository, policy }: PhaseContext): Promise<string | undefined> {
  if (changes.length === 0) return "The record holds no change.";
  const guard = await createPathGuard(repository, policy);
  const seen = new Set<string>();
  const all = changes.map(({ kind, path: file }) => ({ path: file, action: kind }));
  for (const one of all) {
    if (seen.has(one.path)) return `The record changes ${one.path} twice.`;
    seen.add(one.path);
    const refusal = guard(one, all);
    if (refusal) return `The record changes ${refusal.path}, and ${refusal.reason}.`;
  }
  return undefined;
}

/** Why people could not see from the record what is changed: a file that no finished task is about, or bytes. */
function whyUntold(plan: MadePlan, work: Work, files: readonly ChangedFile[]): string | undefined {
  const { tasks } = wholePlan(plan, work);
  const done = work.outcomes.filter(hasChange);
  for (const { path, before, after } of files) {
    const isTold = done.some(
      (one) => one.path === path && tasks.some((task) => task.id === one.taskId && task.path === path),
    );
    if (!isTold) return `The record changes ${path}, and none of its finished tasks is about that file.`;
    if ([before, after].some((bytes) => bytes !== undefined && readText(bytes) === undefined))
      return `The record changes ${path}, and the file is not text.`;
  }
  return undefined;
}

/** Tasks whose actions are what was really done to their files. */
function asChanged(tasks: readonly Task[], { changes }: Work): readonly Task[] {
  const actionOn = (path: string) => changes.find((change) => change.path === path)?.kind;
  return tasks.map((task) => ({ ...task, action: actionOn(task.path) ?? task.action }));
}

/** Makes the patch anew instead of trusting the record's. */
async function patchOf(files: readonly ChangedFile[], repository: Repository): Promise<string> {
  const copy = createWorkingCopy(repository);
  for (const { path: file, after } of files) copy.write(file, after);
  return copy.patch();
}
